// `@bellhop freeze until 2026-12-01T09:00Z except hotfix because the release`, and `@bellhop freeze end`.
import { createView } from '../facts/reading/fact-view.ts'
import { FREEZE } from '../language/commands/comment-commands.ts'
import { levelNumber } from '../language/operators/fact-types.ts'
import { harmless } from '../language/templates.ts'
import { type Freeze, freezeEnd, readFreeze, sayFreeze } from '../language/values/freezes.ts'
import type { DecideInput, Occurrence, OwnCall } from '../types.ts'

const LINE = new RegExp(`^${FREEZE}(?: (?:until |for )?(.+?))?(?: except (.+?))?(?: because (.+))?$`, 'm')

/**
 * What the command says, once the access of its author is read; and the call that does it, which is absent if it was
 * done, or somebody froze the project since. Fails closed: only a Maintainer's public note counts.
 */
export function freezeCommand(input: DecideInput, { id, event }: Occurrence): { said: string; call?: OwnCall } {
  if (input.withoutServer === true)
    return { said: 'not done: `bellhop run` keeps no freeze, use `freeze:` in the rules' }
  const view = createView(input, event)
  const access = view.fact('actor_access')
  const line = view.publicFact('command_line')
  if (access.is !== 'known' || Number(levelNumber(String(access.value))) < Number(levelNumber('maintainer')))
    return { said: 'not done: only a maintainer or above may' }
  if (line.is !== 'known') return { said: 'not done: say it in a note that everybody may read' }
  const by = event.actor.username ?? String(event.actor.id)
  const [, until = '', except, reason] = LINE.exec(String(line.value)) ?? []
  const over: Freeze = { until: event.at, except: [], by, at: event.at }
  const freeze = until === 'end' ? over : readFreeze({ until, reason, except }, by, event.at)
  if (freeze === undefined) return { said: `not done: ${freezeEnd}` }
  const but = freeze.except.length === 0 ? '' : `, but what has a label of ${freeze.except.join(', ')}`
  const said = freeze === over ? 'the freeze is over' : `nothing merges in this project${but}: ${sayFreeze(freeze)}`
  const since = Date.parse(input.freeze?.at ?? '') - Date.parse(event.at)
  if (since > 0) return { said: 'not done: somebody began or ended a freeze since' }
  if (since === 0) return { said: harmless(said) }
  const { project, iid } = input.mergeRequest
  const params = { id: project, merge_request_iid: iid, delivery: id, freeze: { ...freeze } }
  return { said: harmless(said), call: { to: 'journal', endpoint: 'freeze.change', params } }
}
