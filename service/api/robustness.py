"""/v1/robustness."""

from schemas.robustness import RobustnessSchema
from service.api.blueprints import Asked, Blueprint, question_view
from service.parameters import body_of, robustness_parameters
from service.questions import robustness_answer

ABOUT = "How sure a comparison is: intervals, chances, what moves it, where it turns over"
blueprint = Blueprint("robustness", __name__, url_prefix="/v1/robustness", description=ABOUT)
asked = Asked(robustness_parameters(), body_of(robustness_parameters()), RobustnessSchema, robustness_answer)
blueprint.route("")(question_view(blueprint, asked))
