// Dry run: decides about a merge request as an evaluation would, but sends no write and stores nothing.
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { userNamed } from '../../rules/facts/definition/service-values.ts'
import { mergeRequestSource } from '../../rules/facts/definition/sources.ts'
import { isIssue, refName } from '../../rules/facts/definition/subject-ref.ts'
import { commentOverrides, type Overrides } from '../../rules/testing/overrides.ts'
import type { DecideInput, Decision, MergeRequestRef, Occurrence } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import type { FileText } from '../rule-files/read-rule-file.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { branchHistory, buildInput, evaluationMarks } from './decide-input.ts'
import { decideWithFacts, type InitialInput } from './fetch-facts.ts'

/** Not `ok` if the service cannot be read, or does not show what it is about. */
export type DryRun = { ok: true; decision: Decision } | { ok: false; reason: string }

/**
 * Decides with the pending events; `overrides` replace facts and add events; `file` takes the place of the repository's
 * rule file. `context`: that of dry runs, which stores nothing. Throws JournalUnavailable.
 */
export function createDryRun(
  context: Context,
): (mergeRequest: MergeRequestRef, overrides?: Overrides, file?: FileText) => Promise<DryRun> {
  const { client, journal } = context
  return async (mergeRequest, overrides, file) => {
    try {
      const loaded = await journal.load(mergeRequest, evaluationMarks)
      const memory = { ...(loaded.memory ?? emptyMemory()), pushes: loaded.pushes }
      const { project } = mergeRequest
      const rules = await (file === undefined ? context.rules.inForce(project) : context.rules.asIf(project, file))
      const initial = await buildInput(context, { ...loaded, mergeRequest, memory, rules })
      const input = overrides === undefined ? initial : await applyOverrides(client, initial, overrides)
      const history = branchHistory(context, { id: project, path: rules.projectPath })
      const { decision, input: read } = await decideWithFacts(client, input, { history })
      const own = read.answers[mergeRequestSource]
      if (own?.ok === false && own.status === 404) return { ok: false, reason: sayMissing(mergeRequest, rules) }
      return { ok: true, decision }
    } catch (error) {
      if (!(error instanceof ServiceError || error instanceof UnknownOverrideUser)) throw error
      return { ok: false, reason: error.message }
    }
  }
}

/** One sentence, if the trace would say 404 at each condition. */
function sayMissing({ project, iid }: MergeRequestRef, { projectPath }: Pick<RulesInForce, 'projectPath'>): string {
  const what = isIssue({ iid }) ? 'issue' : 'merge request'
  return `There is no ${what} ${refName({ project, iid, path: projectPath })} that Bellhop’s user can see.`
}

async function applyOverrides(client: Client, initial: InitialInput, overrides: Overrides): Promise<InitialInput> {
  const { bot, mergeRequest, events } = initial
  const { project, iid } = mergeRequest
  const now = overrides.now ?? initial.now
  const added = await overrideOccurrences(overrides, { client, bot, at: now, project, iid })
  return { ...initial, now, overrides: added.overrides, events: [...events, ...added.events] }
}

/** The message is a sentence for people. */
export class UnknownOverrideUser extends Error {
  override name = 'UnknownOverrideUser'
}

/** Throws UnknownOverrideUser, and what the client throws. */
export async function overrideOccurrences(
  { facts, events }: Overrides,
  { client, bot, at, project, iid }: Pick<DecideInput, 'bot'> & MergeRequestRef & { client: Client; at: string },
): Promise<Required<Pick<DecideInput, 'events' | 'overrides'>>> {
  const overrides = [...facts]
  const occurrences: Occurrence[] = []
  for (const { kind, by, comment } of events) {
    const id = by === undefined ? undefined : userNamed((await client.users.list({ username: by })).body, by)
    if (by !== undefined && id === undefined) throw new UnknownOverrideUser(`there is no user ${by} on the service.`)
    if (comment !== undefined) overrides.unshift(...commentOverrides(comment, bot.username))
    const changed = facts.flatMap((each) =>
      'is' in each && each.fact === 'changed_fields' && each.is.is === 'known' ? [each.is.value].flat() : [],
    )
    const actor = by === undefined || id === undefined ? {} : { id, username: by }
    occurrences.push({
      id: 'override',
      event: { kind, project, ...(iid === 0 ? {} : { iid }), actor, at, changed: changed.map(String) },
    })
  }
  return { events: occurrences, overrides }
}
