// The handler of the queue `mergeQueues`: observes, plans, checks a landing, stores the plan, carries out its steps.
import type { MergeQueueRef } from '../../journal/types.ts'
import { isVerified } from '../../merge-queue/landing.ts'
import { isSame } from '../../merge-queue/mutable-plan.ts'
import type { Observed } from '../../merge-queue/observed.ts'
import { emptyRecord, isIdle, plan } from '../../merge-queue/plan.ts'
import { type Eta, middleOf } from '../../merge-queue/progress.ts'
import type {
  Attempt,
  MergeQueuePlan,
  MergeQueueRecord,
  MergeQueueStep,
  PastLanding,
  QueuePause,
  Removal,
} from '../../merge-queue/types.ts'
import type { JobHandler, JobResult } from '../../queue/types.ts'
import { inSpan } from '../../tracing/span.ts'
import type { Context } from '../context.ts'
import { listPaused } from '../evaluation/paused-projects.ts'
import { notify } from '../notifications/notify.ts'
import { enqueueMergeQueue } from '../queues.ts'
import { checkLanding } from './check-landing.ts'
import { cancel, discard } from './discard.ts'
import { closeLanded, land } from './land.ts'
import { makeBuilds } from './make-builds.ts'
import { noteGone, noteLanded, noteRemoval, noteTested, unknownPast, writeNotes } from './notes.ts'
import { observe } from './observe.ts'
import { failedJob, retryPipeline, startPipeline } from './pipelines.ts'
import { knownQueueProject, readQueueProject, unfitness } from './project.ts'
import { evaluate, type QueueRun, startRun } from './queue-run.ts'

/** Each round carries out at least one step; more only if builds are many. Then other queues have their turn. */
const mostRounds = 10
/** Until the next look after somebody changed a branch of the queue, doubled for each time in a row. */
const changedMs = 1_000
/** Until the next look whether a paused project is resumed. */
const pausedMs = 60_000
/** The service is carrying out a landing, or a pipeline is not what it was a moment ago. */
const landingMs = 2_000
/** While pipelines run, in case a hook is lost. */
const lookAgainMs = 5 * 60_000

export function createMergeQueueHandler(context: Context): JobHandler<MergeQueueRef> {
  return async (job) => {
    const { data: queue } = job
    if ((await listPaused(context)).some(({ project }) => project === queue.project))
      return { outcome: 'later', delayMs: pausedMs, reason: 'the project is paused' }
    const [entries, record] = await Promise.all([
      context.journal.mergeQueues.entries(queue),
      context.journal.mergeQueues.find(queue),
    ])
    if (entries.length === 0 && (record === undefined || isIdle(record))) return { outcome: 'done' }
    const run = await startRun(context, job, record)
    if (run === undefined) return { outcome: 'done' }
    for (let round = 0; round < mostRounds; round++) {
      const next = await runOnce(run)
      // What it built by other settings is gone: it goes on by those of now.
      if (run.isReplaced && next !== 'again' && next.outcome === 'done') return otherSettings
      if (next !== 'again') return next
    }
    // Added anew, it runs behind what waits already: a run that goes on later would keep its place.
    await enqueueMergeQueue(context.queues.mergeQueues, queue)
    return { outcome: 'done' }
  }
}

const otherSettings: JobResult = { outcome: 'later', delayMs: 1_000, reason: 'the merge queue has other settings' }

/** One look, one plan, and its steps. */
async function runOnce(run: QueueRun): Promise<JobResult | 'again'> {
  const { journal, queue, claim } = run
  // Where this process was frozen, another one works on by now.
  await claim()
  const before = await journal.mergeQueues.find(queue)
  if (run.hasRules) run.entries = await journal.mergeQueues.entries(queue)
  const record = before ?? emptyRecord()
  // The first build may be green by now, and what else is to be done takes long.
  for (const { number } of record.builds[0]?.attempts ?? [])
    if (run.pipelines.get(number)?.status === 'running') run.pipelines.delete(number)
  const observed = await observe(run, record)
  if (observed === undefined) return { outcome: 'later', delayMs: landingMs, reason: 'the service is merging' }
  // Before it is stored: the run that repeats an interrupted one does this too.
  if (observed.landing?.is === 'landed' && record.landing !== undefined) {
    await closeLanded(run, record.landing)
    await noteLanded(run, record.landing, observed.landing)
    if (!isVerified(record.landing, observed.landing)) run.counting?.mergeQueue({ is: 'unverified' })
  }
  const holdsLanding = run.waitMs === undefined ? {} : { holdsLanding: true }
  let planned = await planFor(run, record, { ...observed, ...holdsLanding })
  const landing = planned.steps.find((step) => step.do === 'land')?.landing
  if (landing !== undefined) {
    const verdict = await checkLanding(run, planned.record, landing.members)
    if (verdict === 'changed') return { outcome: 'later', delayMs: landingMs, reason: 'a pipeline changed' }
    if (verdict === 'held') planned = withoutLanding(await planFor(run, record, { ...observed, holdsLanding: true }))
  }
  planned = { ...planned, record: { ...(await withLinks(run, record, planned)), prefix: run.prefix, test: run.test } }
  if (record.testing?.is === 'landed' && planned.record.testing === undefined)
    await noteTested(run, record.testing, planned.record.paused?.reason !== 'unverified_landing')
  // Before it is stored: its evaluation, which forgets it, may begin at once.
  for (const removal of planned.record.removals) await noteRemoval(run, removal, planned.record.recent)
  if (!(await store(run, before, planned.record))) return 'again'
  if (record.landing !== undefined && planned.record.landing === undefined && observed.landing?.is !== 'landed')
    await noteGone(run, record.landing.members)
  for (const { member, at } of planned.record.returned ?? [])
    if (record.returned?.some((each) => each.at === at && isSame(each.member, member)) !== true)
      await evaluate(run, member.iid)
  delete run.refused
  delete run.isUnsent
  delete run.merged
  const [landed] = planned.record.recent
  if (landed !== undefined && landed.at !== record.recent[0]?.at) await countLanding(run, landed)
  for (const cause of planned.voided) run.counting?.mergeQueue({ is: 'voided', cause })
  // A landing goes first: what else is to be done follows from the next look.
  const lands = planned.steps.some((step) => step.do === 'land')
  const attributes = { 'bellhop.project': run.queue.project }
  if (!lands && planned.steps.some((step) => step.do === 'build'))
    await inSpan('merge queue: build', { attributes }, () => makeBuilds(run, planned, observed))
  for (const step of planned.steps) {
    if (step.do === 'build' || (lands && step.do === 'discard')) continue
    await inSpan(`merge queue: ${step.do}`, { attributes }, () => carryOut(run, step, record))
  }
  if (run.settlesOnly && planned.record.landing === undefined) return otherSettings
  const next = nextLook(run, planned, record)
  if (next === 'again') return next
  const areWritten = await writeNotes(run, planned.record)
  // Its evaluation takes the entry out, and remembers why.
  for (const { member } of planned.record.removals) await evaluate(run, member.iid)
  return areWritten ? next : 'again'
}

async function countLanding(run: QueueRun, { members, at }: PastLanding): Promise<void> {
  for (const member of members) {
    const { project } = run.queue
    const since = run.entries.find((entry) => isSame(entry, member))?.since ?? at
    const eta = (await run.journal.mergeQueues.note({ project, iid: member.iid }))?.eta
    run.counting?.mergeQueue({ is: 'landed', waitedMs: at - since, ...(eta?.since === since ? errorOf(eta, at) : {}) })
  }
}

const errorOf = (eta: Eta, at: number) => ({ etaErrorMs: Math.abs(at - middleOf(eta)) })

/** Looks at the project before anything is built or lands: it may be unfit by now. */
async function planFor(run: QueueRun, record: MergeQueueRecord, observed: Observed): Promise<MergeQueuePlan> {
  const { settings, now } = run
  const planned = plan(record, observed, settings, now())
  const has = (what: MergeQueueStep['do']) => planned.steps.some((step) => step.do === what)
  if (!has('land') && !has('build')) return planned
  run.project = has('land') ? await readQueueProject(run) : await knownQueueProject(run)
  const unfit = unfitness(run.project, settings) ?? (await unknownPast(run, record))
  return unfit === undefined ? planned : plan(record, { ...observed, unfit }, settings, now())
}

/** A landing that was requested before is not sent again now; its outcome is still looked for. */
const withoutLanding = (planned: MergeQueuePlan): MergeQueuePlan => ({
  ...planned,
  steps: planned.steps.filter((step) => step.do !== 'land'),
})

/** With the pipelines of builds and new removals, as far as this run and the record before know them. */
async function withLinks(run: QueueRun, before: MergeQueueRecord, planned: MergeQueuePlan): Promise<MergeQueueRecord> {
  const linksOf = ({ number }: Attempt) => {
    const { id: pipeline, url: link } = run.pipelines.get(number) ?? {}
    return { ...(pipeline === undefined ? {} : { pipeline }), ...(link === undefined ? {} : { link }) }
  }
  const attempts = before.builds.flatMap((build) => build.attempts)
  const withLink = async <R extends Omit<Removal, 'at'>>(removal: R): Promise<R> => {
    const attempt = attempts.find(({ number }) => number === removal.attempt)
    // Once it is removed, its build is gone.
    if (attempt === undefined) return removal
    const { pipeline, link } = { ...attempt, ...linksOf(attempt) }
    const isFailed = removal.reason === 'pipeline_failed' && pipeline !== undefined
    const job = isFailed ? await failedJob(run.client, run.queue.project, pipeline) : undefined
    return { ...removal, ...(link === undefined ? {} : { link }), ...(job === undefined ? {} : { job }) }
  }
  const { testing } = planned.record
  return {
    ...planned.record,
    ...(testing?.is === 'suspect' ? { testing: { ...testing, removal: await withLink(testing.removal) } } : {}),
    builds: planned.record.builds.map((build) => ({
      ...build,
      attempts: build.attempts.map((attempt) => ({ ...attempt, ...linksOf(attempt) })),
    })),
    removals: await Promise.all(planned.record.removals.map(withLink)),
  }
}

/** False if somebody else changed it: an operator, or another process. */
async function store(
  { journal, queue, claim }: QueueRun,
  before: MergeQueueRecord | undefined,
  after: MergeQueueRecord,
): Promise<boolean> {
  const read = JSON.stringify(before)
  if (JSON.stringify(after) === read) return true
  await claim()
  let isStored = false
  await journal.mergeQueues.change(queue, (present) => {
    isStored = JSON.stringify(present) === read
    return isStored ? after : undefined
  })
  return isStored
}

async function carryOut(
  run: QueueRun,
  step: Exclude<MergeQueueStep, { do: 'build' }>,
  before: MergeQueueRecord,
): Promise<void> {
  run.log.info({ event: 'merge_queue_step', ...step }, `merge queue: ${step.do}`)
  switch (step.do) {
    case 'cancel':
      return cancel(run, step.attempt)
    case 'retry':
      return retry(run, step.attempt)
    case 'start':
      run.started.set(step.attempt, (await startPipeline(run, `${run.prefix}${step.attempt}`)) ?? 0)
      run.pipelines.delete(step.attempt)
      return
    case 'discard':
      return discard(run, step.attempts)
    case 'land':
      return land(run, step.landing, before.landing === undefined)
    case 'remove':
      return run.counting?.mergeQueue({ is: 'removed', reason: step.removal.reason })
    case 'notify':
      run.counting?.mergeQueue({ is: 'paused', reason: step.paused.reason })
      return notifyOfPause(run, step.paused)
    default:
      return step satisfies never
  }
}

async function retry(run: QueueRun, attempt: number): Promise<void> {
  const pipeline = run.pipelines.get(attempt)
  const isRetried = pipeline?.id !== undefined && (await retryPipeline(run, pipeline.id))
  run.retried.set(attempt, isRetried)
  if (isRetried) run.pipelines.set(attempt, { ...pipeline, status: 'running' })
}

async function notifyOfPause(run: QueueRun, { since: _, ...paused }: QueuePause): Promise<void> {
  const { project, target } = run.queue
  const about = { project, projectPath: run.path, target, ...paused }
  await notify(run, { kind: 'merge_queue_paused', about }, JSON.stringify([project, target, paused.reason, run.now()]))
}

function nextLook(
  run: QueueRun,
  { steps, record, changesAt }: MergeQueuePlan,
  before: MergeQueueRecord,
): JobResult | 'again' {
  const { waitMs, now, isUnsent } = run
  // The next look settles that landing, and sends no other one yet.
  if (isUnsent && waitMs !== undefined) return 'again'
  delete run.waitMs
  const { changed = 0, paused } = record
  if (changed > (before.changed ?? 0) && paused === undefined)
    return { outcome: 'later', delayMs: changedMs * 2 ** changed, reason: 'somebody changes the branches of builds' }
  if (waitMs !== undefined) return { outcome: 'later', delayMs: waitMs, reason: 'a landing or a build has to wait' }
  if (steps.length > 0) return 'again'
  const isBuilding = record.builds.length > 0 && record.paused === undefined
  const times = [...(changesAt === undefined ? [] : [changesAt - now()]), ...(isBuilding ? [lookAgainMs] : [])]
  if (times.length === 0) return { outcome: 'done' }
  const delayMs = Math.max(1_000, Math.min(...times))
  return { outcome: 'later', delayMs, reason: 'builds of the merge queue are running' }
}
