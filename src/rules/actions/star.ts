// star: give the project a star of Bellhop's user (DESIGN §4, Project; api-v4.md §3.3).
import { callData } from '../../api/call-data.ts'
import { projectAction } from './definition/project-action.ts'

export default projectAction({
  name: 'star',
  doc: 'Give the project a star of Bellhop’s user. One that is there already stays as it is.',
  detail: 'star the project',
  // The service does not say whose stars there are: it answers 304 where this one is.
  call: (id) => callData('projects.star', { id }),
})
