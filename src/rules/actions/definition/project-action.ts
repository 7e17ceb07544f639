// What the actions on the project have in common: one call for each event, and no state to compare with (DESIGN §4, Project).
import type { CallData } from '../../../api/call-data.ts'
import { type Action, actionWithoutArgs, oneCall } from './action.ts'

interface ProjectAction extends Pick<Action, 'name' | 'doc'> {
  detail: string
  call(id: number): CallData
}

/** Declares an action on the project, for rules with `on:`. */
export function projectAction({ name, doc, detail, call }: ProjectAction): Action {
  return actionWithoutArgs({
    name,
    doc,
    needs: [],
    onlyOnEvents: true,
    ofProject: true,
    calls: ({ mr: { id } }) => oneCall(detail, call(id)),
  })
}
