"""/v1/progress."""

from schemas.scaling import ProgressSchema
from service.api.blueprints import Asked, Blueprint, question_view
from service.parameters import body_of, progress_parameters
from service.questions import progress_answer

blueprint = Blueprint("progress", __name__, url_prefix="/v1/progress", description="The same systems over rounds")
asked = Asked(progress_parameters(), body_of(progress_parameters()), ProgressSchema, progress_answer)
blueprint.route("")(question_view(blueprint, asked))
