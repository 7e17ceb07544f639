// What the actions on the project itself have in common: one call for each event, and no state to compare with (DESIGN §4, Project).
import type { CallData } from '../../../api/call-data.ts'
import { onlyTrue } from '../../language/values/shapes.ts'
import { type Action, action } from './action.ts'

interface ProjectAction extends Pick<Action, 'name' | 'doc'> {
  detail: string
  call(id: number): CallData
}

/** An action on the project, written `name: true` in a rule for an event. */
export function projectAction({ name, doc, detail, call }: ProjectAction): Action {
  return action({
    name,
    doc,
    example: `${name}: true`,
    args: onlyTrue,
    needs: [],
    onlyOnEvents: true,
    ofProject: true,
    calls: ({ mr: { id } }) => ({ result: 'call', detail, calls: [{ call: call(id) }] }),
  })
}
