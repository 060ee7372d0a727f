"""/v1/breakeven."""

from schemas.breakeven import BreakevenSchema
from service.api.blueprints import Asked, Blueprint, question_view
from service.parameters import body_of, breakeven_parameters
from service.questions import breakeven_answer

ABOUT = "Own or rent: after how long owning has cost less, and where both would cost the same"
blueprint = Blueprint("breakeven", __name__, url_prefix="/v1/breakeven", description=ABOUT)
asked = Asked(breakeven_parameters(), body_of(breakeven_parameters()), BreakevenSchema, breakeven_answer)
blueprint.route("")(question_view(blueprint, asked))
