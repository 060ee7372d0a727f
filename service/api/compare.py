"""/v1/compare."""

from service.api.blueprints import Blueprint, question_view
from service.outputs import comparison_schema
from service.parameters import compare_parameters
from service.questions import compare_answer

blueprint = Blueprint("compare", __name__, url_prefix="/v1/compare", description="Systems side by side")
blueprint.route("")(question_view(blueprint, compare_parameters(), comparison_schema(), compare_answer))
