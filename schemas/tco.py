"""Total cost of ownership: components and years."""

from marshmallow import Schema, fields


class ComponentSchema(Schema):
    """A cost component of one system."""

    name = fields.String(required=True)
    due = fields.String(required=True, metadata={"enum": ["once", "yearly", "at the end"]})
    total = fields.String(required=True, metadata={"description": "The sum that it is in"})
    amount = fields.Float(required=True, allow_none=True)
    present_value = fields.Float(required=True, allow_none=True)
    reason = fields.String(required=True, allow_none=True, metadata={"description": "Why it is missing"})


def _sums(text: str) -> fields.Dict:
    return fields.Dict(keys=fields.String(), values=fields.Float(), required=True, metadata={"description": text})


def _amount(text: str) -> fields.Float:
    return fields.Float(required=True, metadata={"description": text})


class YearSchema(Schema):
    """A year of service; year 0 is the day of purchase. Costs are negative where money comes back."""

    year = fields.Integer(required=True, strict=True)
    costs = _sums("What is paid in the year, by component")
    present_values = _sums("The same in money of the day of purchase")
    list_cost = _amount("FOCUS ListCost: before discounts")
    contracted_cost = _amount("FOCUS ContractedCost: after them")
    billed_cost = _amount("FOCUS BilledCost: what is paid in the year")
    effective_cost = _amount("FOCUS EffectiveCost: what was bought is spread over the years as the books have it")
    depreciation = _amount("What the books write off in the year, by depreciation_basis; the rest in the last year")
    book_value = _amount("At the year's end, by depreciation_basis")
    present_value = _amount("Of all that is paid in the year")
    cumulative = _amount("Paid so far")
    cumulative_present_value = _amount("Present value so far")
