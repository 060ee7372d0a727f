"""/v1/sizing."""

from schemas.sizing import SizingSchema
from service.api.blueprints import Asked, Blueprint, question_view
from service.parameters import body_of, sizing_parameters
from service.questions import sizing_answer

ABOUT = "The cheapest system and size for a deadline, a budget, a demand and a room; the Pareto front"
blueprint = Blueprint("sizing", __name__, url_prefix="/v1/sizing", description=ABOUT)
asked = Asked(sizing_parameters(), body_of(sizing_parameters()), SizingSchema, sizing_answer)
blueprint.route("")(question_view(blueprint, asked))
