// star: star the project as Bellhop's user (DESIGN §4, Project; api-v4.md §3.3).
import { callData } from '../../api/call-data.ts'
import { projectAction } from './definition/project-action.ts'

export default projectAction({
  name: 'star',
  doc: 'Star the project as Bellhop’s user. An existing star stays as it is.',
  detail: 'star the project',
  // The service does not list stars: it answers 304 where this one exists.
  call: (id) => callData('projects.star', { id }),
})
