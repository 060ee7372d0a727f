"""Taking rows into a book: cells read by declared rules, checked, staged, and published all or not at all."""
