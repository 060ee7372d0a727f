"""/v1/tco."""

from service.api.blueprints import Blueprint, question_view
from service.outputs import tco_schema
from service.parameters import compare_parameters
from service.questions import tco_answer

blueprint = Blueprint("tco", __name__, url_prefix="/v1/tco", description="Total cost of ownership")
blueprint.route("")(question_view(blueprint, compare_parameters(), tco_schema(), tco_answer))
