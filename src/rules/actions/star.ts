// star: give the project a star of Bellhop's user (DESIGN §4, Project; api-v4.md §3.3).
import { callData } from '../../api/endpoint.ts'
import { api } from '../../api/index.ts'
import { action } from '../action.ts'
import { onlyTrue } from '../shapes.ts'

export default action({
  name: 'star',
  doc: 'Give the project a star of Bellhop’s user. One that is there already stays as it is.',
  example: 'star: true',
  args: onlyTrue,
  needs: [],
  onlyOnEvents: true,
  ofProject: true,
  // The service does not say whose stars there are: it answers 304 where this one is.
  calls: ({ mr: { id } }) => ({ result: 'call', detail: 'star the project', calls: [{ call: callData(api.projects.star, { id }) }] }),
})
