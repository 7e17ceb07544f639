// housekeeping: start the housekeeping task of the project's repository (DESIGN §4, Project; api-v4.md §4.3).
import { callData } from '../../api/endpoint.ts'
import { api } from '../../api/index.ts'
import { action } from '../action.ts'
import { onlyTrue } from '../shapes.ts'

export default action({
  name: 'housekeeping',
  doc: 'Start the housekeeping task of the repository. One that runs already is left to run. Bellhop’s user must be a maintainer.',
  example: 'housekeeping: true',
  args: onlyTrue,
  needs: [],
  onlyOnEvents: true,
  ofProject: true,
  calls: ({ mr: { id } }) => ({
    result: 'call',
    detail: 'start housekeeping',
    calls: [{ call: callData(api.projects.housekeeping, { id }) }],
  }),
})
