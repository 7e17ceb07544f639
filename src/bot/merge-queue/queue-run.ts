// One run of a merge queue's job: what it knows, and what it found out on the way.
import type { Client } from '../../client/create-client.ts'
import type { MergeQueueEntry, MergeQueueRef } from '../../journal/types.ts'
import { testOf } from '../../merge-queue/landing.ts'
import { isSame } from '../../merge-queue/mutable-plan.ts'
import type { AttemptState } from '../../merge-queue/observed.ts'
import { isIdle } from '../../merge-queue/plan.ts'
import type { EntryRef, MergeQueueRecord, MergeQueueSettings } from '../../merge-queue/types.ts'
import type { RunningJob } from '../../queue/types.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import { allQueues, queueFor } from '../../rules/language/target-queue.ts'
import type { DecideInput, MergeQueueRules } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { enqueueEvaluation } from '../queues.ts'
import { branchPrefix } from './branch-names.ts'
import { createApiRepository } from './git/api-repository.ts'
import type { BranchHead, QueueRepository } from './git/repository.ts'
import type { QueuePipeline } from './pipelines.ts'

/** A project as the service answers it. */
export type QueueProject = Awaited<ReturnType<Client['projects']['get']>>['body']

export interface QueueRun extends Context {
  queue: MergeQueueRef
  /** The full path of the project. */
  path: string
  /** The project, once this run has read it. */
  project?: QueueProject
  repository: QueueRepository
  settings: MergeQueueSettings & Pick<MergeQueueRules, 'message' | 'own_pipeline' | 'pipelines'>
  /** The prefix of its branches. */
  prefix: string
  /** How its builds are tested. `settings.test` is another way while a landing of other settings is settled. */
  test: MergeQueueSettings['test']
  /** It has another name by now, or tests without branches: what it built is discarded first. */
  isReplaced: boolean
  /** Only a landing that was requested by other settings is settled. */
  settlesOnly: boolean
  /** Whether a rule file has the queue, with these branches. */
  hasRules: boolean
  /** The project's own rule file has mistakes: nothing lands. */
  isBroken: boolean
  /** In no order. */
  entries: readonly MergeQueueEntry[]
  claim: RunningJob<unknown>['claim']
  /** What this run made, by the number of the attempt. */
  made: Map<number, BranchHead & { own?: true }>
  found: Map<number, Exclude<AttemptState, { is: 'made' }>>
  pipelines: Map<number, QueuePipeline>
  /** The pipelines that this run started; 0: the service refused. */
  started: Map<number, number>
  /** Whose failed jobs this run let the service run again; false: the service refused. */
  retried: Map<number, boolean>
  /** The head of the target branch, as last observed. */
  target?: string | undefined
  /** The commits of the queue's branches, as last observed. */
  branches: Map<number, string>
  /** The open draft merge requests of the queue's branches, by branch, once this run has read them. */
  drafts?: Map<string, number>
  /** For each member of the landing that this run stored last: the input on which the rules requested it. */
  checked?: readonly DecideInput[]
  /** This run stored a landing, and the target or a member changed before it was requested. */
  isUnsent?: true
  /** The service refused the landing that this run requested. */
  refused?: { because: 'merge_request' | 'project'; words?: string | undefined }
  /** The merge request that this run merged, as the service answered. */
  merged?: MergedCommits
  /** Wait so long before the next look, whatever the plan says. */
  waitMs?: number
}

/** The head of the branch of an attempt, or why it has none. */
export type BuildOutcome = (BranchHead & { own?: true }) | Exclude<AttemptState, { is: 'made' }>

export function keepBuild(run: QueueRun, attempt: number, built: BuildOutcome): void {
  if ('is' in built) return void run.found.set(attempt, built)
  run.made.set(attempt, built)
  run.counting?.mergeQueue({ is: 'built' })
}

/** The commits of a merged merge request, and the branch that it was merged into. */
export interface MergedCommits {
  target_branch?: unknown
  merge_commit_sha?: unknown
  squash_commit_sha?: unknown
}

/** Tells who is in the queue by now: evaluations change that while it runs. Throws JournalUnavailable. */
export async function entered({ journal, queue }: QueueRun): Promise<(member: EntryRef) => boolean> {
  const entries = await journal.mergeQueues.entries(queue)
  return (member) => entries.some((entry) => isSame(entry, member))
}

/** Enqueues the evaluation of a merge request of the queue. Throws QueueUnavailable. */
export const evaluate = ({ queues, queue }: QueueRun, iid: number): Promise<void> =>
  enqueueEvaluation(queues.mergeRequests, { ...queue, iid })

/** A queue that no rule file has: what it built is discarded. */
const withoutRules: QueueRun['settings'] = {
  test: 'branch',
  pipelines: 'branch',
  own_pipeline: false,
  land: 'push',
  speculate: { least: 1, most: 1 },
  batch: { most: 1, waitMs: 0 },
  retries: 0,
  timeoutMs: 0,
}

/** Undefined if no rule file has the queue, and it has nothing to discard. Throws what rule files and git throw. */
export async function startRun(
  context: Context,
  { data: queue, claim }: RunningJob<MergeQueueRef>,
  record: MergeQueueRecord | undefined,
): Promise<QueueRun | undefined> {
  const { service, log, client } = context
  const { files, projectPath: path } = await context.rules.inForce(queue.project)
  const rules = queueFor(files, queue.target)?.queue
  const wanted = rules && branchPrefix(rules, queue.target, allQueues(files))
  const isReplaced = record !== undefined && rules !== undefined && !isIdle(record) && differs(record, wanted, rules)
  const prefix = isReplaced ? record.prefix : (wanted ?? record?.prefix)
  if (prefix === undefined) return undefined
  const hasRules = rules !== undefined && !isReplaced
  const built = hasRules ? rules.test : (record?.test ?? 'branch')
  // A landing is settled in the way in which it was requested.
  const test = record?.landing === undefined ? built : testOf(record.landing)
  const project = { id: queue.project, path }
  const ahead = context.now() - (await context.journal.mergeQueues.time())
  return {
    ...context,
    // Another process may go on, by another clock.
    now: () => context.now() - ahead,
    queue,
    path,
    claim,
    log: log.child({ mergeQueue: `${refName({ ...queue, path })} into ${queue.target}` }),
    repository: test === 'branch' ? await service.openRepository(project) : createApiRepository(client, queue.project),
    settings: { ...(rules ?? withoutRules), test },
    prefix,
    test: built,
    isReplaced,
    settlesOnly: test !== built,
    hasRules,
    isBroken: files.some(({ broken, trust, origin }) => broken && trust === 'repository' && origin === undefined),
    entries: [],
    made: new Map(),
    found: new Map(),
    pipelines: new Map(),
    started: new Map(),
    retried: new Map(),
    branches: new Map(),
  }
}

/** Whether the queue's branches have other names by now, or are needed no more. */
function differs(
  { prefix, test = 'branch' }: MergeQueueRecord,
  wanted: string | undefined,
  rules: Pick<MergeQueueRules, 'test'>,
): boolean {
  if (prefix === undefined) return false
  return prefix !== wanted || (test === 'branch' && rules.test !== 'branch')
}
