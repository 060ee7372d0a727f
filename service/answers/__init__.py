"""What the analyses found, put as documents, records and pages that every format can write."""
