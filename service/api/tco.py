"""/v1/tco."""

from service.api.blueprints import Asked, Blueprint, question_view
from service.outputs import tco_schema
from service.parameters import compare_body, compare_parameters
from service.questions import tco_answer

blueprint = Blueprint("tco", __name__, url_prefix="/v1/tco", description="Total cost of ownership")
asked = Asked(compare_parameters(), compare_body(), tco_schema(), tco_answer)
blueprint.route("")(question_view(blueprint, asked))
