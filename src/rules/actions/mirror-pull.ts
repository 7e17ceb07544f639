// mirror_pull: fetch the repository that this project mirrors (DESIGN §4, Project; api-v4.md §4.3).
import { callData } from '../../api/endpoint.ts'
import { api } from '../../api/index.ts'
import { action } from '../action.ts'
import { onlyTrue } from '../shapes.ts'

export default action({
  name: 'mirror_pull',
  doc: 'Fetch the repository that this project mirrors. Bellhop’s user must be a maintainer.',
  example: 'mirror_pull: true',
  args: onlyTrue,
  needs: [],
  onlyOnEvents: true,
  ofProject: true,
  calls: ({ mr: { id } }) => ({
    result: 'call',
    detail: 'start pull mirroring',
    calls: [{ call: callData(api.projects.mirrorPull, { id }) }],
  }),
})
