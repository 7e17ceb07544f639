// housekeeping: start the housekeeping task of the project's repository (DESIGN §4, Project; api-v4.md §4.3).
import { callData } from '../../api/call-data.ts'
import { projectAction } from './definition/project-action.ts'

export default projectAction({
  name: 'housekeeping',
  doc: 'Start the housekeeping task of the repository. A running one goes on. Bellhop’s user must be a maintainer.',
  detail: 'start housekeeping',
  call: (id) => callData('projects.housekeeping', { id }),
})
