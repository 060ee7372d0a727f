"""/v1/compare."""

from service.api.blueprints import Asked, Blueprint, question_view
from service.outputs import comparison_schema
from service.parameters import compare_body, compare_parameters
from service.questions import compare_answer

blueprint = Blueprint("compare", __name__, url_prefix="/v1/compare", description="Systems side by side")
asked = Asked(compare_parameters(), compare_body(), comparison_schema(), compare_answer)
blueprint.route("")(question_view(blueprint, asked))
