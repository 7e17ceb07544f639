// Checks a landing before it is stored, and once more just before its call: the pipeline, and the rules on fresh facts.
import type { EntryRef, MergeQueueRecord } from '../../merge-queue/types.ts'
import { acceptMemory } from '../../rules/actions/definition/accept-memory.ts'
import { type DecideInput, decide } from '../../rules/engine/decide.ts'
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import type { Decision, MergeRequestRef, SourceAnswers } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { branchHistory, buildInput, evaluationMarks } from '../evaluation/decide-input.ts'
import { decideAgain, decideWithFacts, readAgain } from '../evaluation/fetch-facts.ts'
import { readFreezeOf } from '../evaluation/freezes.ts'
import { isStillGreen } from './pipelines.ts'
import { readQueueProject, takesSkipped } from './project.ts'
import { evaluate, type QueueProject, type QueueRun } from './queue-run.ts'

/** `changed`: the pipeline is not what was observed. `held`: the rules do not request it as it is. */
export type LandingVerdict = 'lands' | 'changed' | 'held'

/** When to ask again about a landing that the rules hold back. */
const heldForMs = 60_000

/** Throws what client, journal and queue throw. */
export async function checkLanding(
  run: QueueRun,
  { builds }: Pick<MergeQueueRecord, 'builds'>,
  members: readonly EntryRef[],
): Promise<LandingVerdict> {
  const { project } = run.queue
  const attempts = builds[0]?.attempts.map(({ number }) => number) ?? []
  // With `test: rebase`, the rules read the pipeline.
  if (run.settings.test === 'branch' && !(await hasGreenPipeline(run, attempts))) return 'changed'
  const present = run.project ?? (await readQueueProject(run))
  const checked = await Promise.all(members.map((each) => requestedLanding(run, { project, ...each }, present)))
  const held = members.filter((_, index) => checked[index] === undefined)
  for (const { iid } of held) await evaluate(run, iid)
  run.checked = checked.filter((each) => each !== undefined)
  if (held.length === 0) return 'lands'
  run.waitMs = heldForMs
  return 'held'
}

/** Read again by its id: it may run once more, or be canceled. */
async function hasGreenPipeline(run: QueueRun, attempts: readonly number[]): Promise<boolean> {
  for (const number of attempts) {
    const pipeline = run.pipelines.get(number)
    if (pipeline?.id === undefined || pipeline.status !== 'success') continue
    if (await isStillGreen(run.client, run.queue.project, { id: pipeline.id, takesSkipped: takesSkipped(run) }))
      return true
    run.pipelines.delete(number)
  }
  return false
}

/**
 * The input on which the rules in force request exactly the entry that it has, read for this; undefined if they do not.
 * Only what the head alone decides is not read again. Nothing is sent or stored. Throws what client and journal throw.
 */
export async function requestedLanding(
  context: Context,
  { head, ...mergeRequest }: MergeRequestRef & EntryRef,
  project: QueueProject,
): Promise<DecideInput | undefined> {
  const { client, journal, service } = context
  const loaded = await journal.load(mergeRequest, evaluationMarks)
  const memory = { ...(loaded.memory ?? emptyMemory()), pushes: loaded.pushes }
  if (acceptMemory(memory).queued?.sha !== head) return undefined
  const rules = await context.rules.refresh(mergeRequest.project, project, loaded.ruleFiles)
  const answers: SourceAnswers = { [sources.project.name]: { ok: true, body: project, complete: true } }
  const initial = await buildInput(context, { ...loaded, mergeRequest, memory, rules })
  const history = branchHistory(context, { id: mergeRequest.project, path: rules.projectPath })
  const reading = { bypassCache: true, answers, cache: service.answers, history }
  const { decision, input } = await decideWithFacts(client, initial, reading)
  return isRequested(decision) ? input : undefined
}

/**
 * The last look before a landing: reads the facts of all members again, the merge requests last. Nothing is read or
 * stored after that, and nothing waits. Throws what client and journal throw.
 */
export async function areStillRequested(context: Context, members: readonly DecideInput[]): Promise<boolean> {
  const { client, service } = context
  const inputs = await Promise.all(
    members.map(async (each) => {
      const freeze = await readFreezeOf(context, each.mergeRequest.project)
      return readAgain(client, { ...each, freeze }, service.answers)
    }),
  )
  const decided = await Promise.all(inputs.map((input) => decideAgain(client, input, decide)))
  return decided.every((result) => 'decision' in result && isRequested(result.decision))
}

/** A trace names the queue only if the entry stands just as it is requested, and nothing holds the rule back. */
const isRequested = ({ rules }: Decision) =>
  rules.some(({ actions }) => actions.some(({ queue, waitsFor }) => queue !== undefined && waitsFor !== 'freeze'))
