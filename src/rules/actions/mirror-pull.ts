// mirror_pull: fetch the repository that this project mirrors (DESIGN §4, Project; api-v4.md §4.3).
import { callData } from '../../api/call-data.ts'
import { projectAction } from './definition/project-action.ts'

export default projectAction({
  name: 'mirror_pull',
  doc: 'Fetch the repository that this project mirrors. Bellhop’s user must be a maintainer.',
  detail: 'start pull mirroring',
  call: (id) => callData('projects.mirrorPull', { id }),
})
