// Evaluates rules on past merge requests and issues, as they were just before their end; and tries an edited rule file.
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { lastOpenState } from '../../journal/journal.ts'
import {
  callsOf,
  type LastEvaluation,
  labelsAt,
  type PastMergeRequest,
  pastMoment,
  readsOf,
  seenOfLast,
  sourcesOf,
} from '../../rules/backtest/past-facts.ts'
import { type Backtest, type BacktestOutcome, outcomeOf, thorough } from '../../rules/backtest/totals.ts'
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import { issueRef } from '../../rules/facts/definition/subject-ref.ts'
import { count } from '../../rules/language/values/wording.ts'
import type { Overrides } from '../../rules/testing/overrides.ts'
import type {
  Memory,
  MergeRequestRef,
  Override,
  ProjectPolicy,
  RuleFileInForce,
  SourceAnswers,
} from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { pipelinesMark } from '../evaluation/decide-input.ts'
import type { createDryRun, DryRun } from '../evaluation/dry-run.ts'
import { decideWithFacts, type InitialInput, withAnswer } from '../evaluation/fetch-facts.ts'
import { issueName } from '../reporting/names.ts'
import { gitBlob } from '../rule-files/operator-files.ts'
import type { FileText } from '../rule-files/read-rule-file.ts'
import { repositoryRulePath } from '../rule-files/rules-in-force.ts'
import { type ClientBudget, createClientBudget, OutOfCalls } from '../service/call-budget.ts'

/** The branch is the one whose pushes count. */
export interface PastSubject {
  project: number
  iid: number
  /** The iid is that of an issue, which has no branch. */
  subject?: 'issue' | undefined
  sourceProject?: number | undefined
  sourceBranch?: string | undefined
}

export interface BacktestOptions {
  client: Client
  project: number
  files: RuleFileInForce[]
  policy?: ProjectPolicy
  /** How many merge requests, and how many issues if a rule is for issues. */
  last: number
  maxCalls: number
  offLabel: string
  now: () => number
  memoryOf?:
    | ((of: PastSubject) => Promise<{ memory: Pick<Memory, 'pushes'>; mergeRequestPipelines: boolean }>)
    | undefined
  pastOf?: ((of: PastSubject) => Promise<{ head: string | null; facts: LastEvaluation } | undefined>) | undefined
  /** Called once before what was listed is read, with the expected calls. */
  onPlan?: (plan: { mergeRequests: number; issues: number; calls: number }) => void
  onProgress?: (progress: { evaluated: number; of: number; calls: number }) => void
}

interface Past extends PastMergeRequest, Omit<PastSubject, 'project'> {
  title: string
  url?: string
  labels?: unknown
}

const PAGE = 100

async function listed(
  { client }: ClientBudget,
  project: number,
  last: number,
  subject: 'issue' | undefined,
): Promise<Past[]> {
  const params = { id: project, scope: 'all', order_by: 'created_at', sort: 'desc', per_page: Math.min(PAGE, last) }
  const endpoint = subject === 'issue' ? 'issues.list' : 'mergeRequests.list'
  const { items } = await client.pages(endpoint, params, { maxPages: Math.ceil(last / PAGE) }).collect()
  return items.slice(0, last).map((each) => {
    const { iid, state, web_url: url, ...rest } = each as Record<string, unknown>
    if (typeof iid !== 'number') throw new Error('the service listed one without a number')
    const { merged_at, closed_at, sha, source_project_id: from, source_branch: branch } = rest
    const title =
      subject === 'issue' ? issueName({ url, title: rest.title, confidential: rest.confidential })?.title : rest.title
    return {
      ...{ iid, subject, title: String(title ?? ''), merged_at, closed_at, sha, labels: rest.labels },
      ...(typeof url === 'string' ? { url } : {}),
      ...(typeof state === 'string' ? { state } : {}),
      ...(typeof from === 'number' && typeof branch === 'string' ? { sourceProject: from, sourceBranch: branch } : {}),
    }
  })
}

/** With the labels of then, if a rule reads them and nobody stored them. */
async function withLabels(client: Client, initial: InitialInput, { labels, subject }: Past): Promise<InitialInput> {
  const { overrides = [], files, now } = initial
  if (!asksLabels(files, overrides, subject)) return initial
  const { answers }: { answers: SourceAnswers } = await withAnswer(
    client,
    { ...initial, answers: {} },
    sources.labelEvents.name,
  )
  const then = labelsAt(now, labels, answers[sources.labelEvents.name])
  return then === undefined
    ? initial
    : { ...initial, overrides: [...overrides.filter(({ fact }) => fact !== 'labels'), then] }
}

/** Whether the labels have to be asked for, which takes a call. */
const asksLabels = (files: readonly RuleFileInForce[], overrides: readonly Override[], of: Past['subject']) =>
  overrides.some((each) => each.fact === 'labels' && 'is' in each && each.is.is === 'absent') &&
  readsOf(files, of).names.has('labels')

function stoppedBy(error: unknown, most: number): NonNullable<Backtest['stopped']> {
  if (error instanceof OutOfCalls)
    return { reason: `the limit of ${count(most, 'API call')} is used up`, failed: false }
  if (error instanceof ServiceError) return { reason: error.message, failed: true }
  throw error
}

/** Both if rules are for both; merge requests if no rule is for either. */
async function listedFor(
  files: readonly RuleFileInForce[],
  ...list: [ClientBudget, project: number, last: number]
): Promise<Past[]> {
  const subjects = new Set(files.flatMap(({ rules }) => rules.rules.map(({ subject = 'merge_request' }) => subject)))
  const forIssues = subjects.has('issue')
  return [
    ...(subjects.has('merge_request') || !forIssues ? await listed(...list, undefined) : []),
    ...(forIssues ? await listed(...list, 'issue') : []),
  ]
}

/** Evaluates the newest merge requests and issues one by one; changes nothing. Throws ServiceError before the first. */
export async function backtest(options: BacktestOptions): Promise<Backtest> {
  const { files, policy, project, last, maxCalls, offLabel, now, memoryOf, pastOf } = options
  const budget = createClientBudget(options.client, maxCalls)
  const { id = 0, username = '' } = (await options.client.users.current({})).body
  const at = new Date(now()).toISOString()
  const past = await listedFor(files, budget, project, last)
  const moments = past.map((each) => pastMoment(each, at))
  const sourcesFor = (at: number) => sourcesOf(files, moments[at]?.overrides ?? [], past[at]?.subject)
  const asked = past.filter((each, index) => asksLabels(files, moments[index]?.overrides ?? [], each.subject)).length
  const planned = budget.made() + asked + past.reduce((sum, _, index) => sum + callsOf(sourcesFor(index)), 0)
  const issues = past.filter(({ subject }) => subject === 'issue').length
  options.onPlan?.({ mergeRequests: past.length - issues, issues, calls: planned })
  const outcomes: BacktestOutcome[] = []
  let stopped: Backtest['stopped']
  for (const [index, each] of past.entries()) {
    const { iid, subject, title, url, state, ...source } = each
    try {
      const stored = moments[index] === undefined ? undefined : pastOf
      const one = { project, iid, subject }
      const seen = seenOfLast(each, await stored?.(one))
      const moment = pastMoment(each, at, seen)
      const remembered = subject === 'issue' ? undefined : await memoryOf?.({ ...one, ...source })
      const pushes = remembered?.memory.pushes ?? []
      const initial: InitialInput = {
        files: thorough(files),
        policy,
        mergeRequest: subject === 'issue' ? issueRef(project, iid) : { project, iid },
        memory: { ...emptyMemory(), pushes },
        events: [],
        now: moment?.now ?? at,
        bot: { id, username },
        offLabel,
        project: { mergeRequestPipelines: remembered?.mergeRequestPipelines ?? false },
        // Known pushes need no override.
        overrides: (moment?.overrides ?? []).filter(({ fact }) => pushes.length === 0 || fact !== 'pushed_by'),
      }
      const { decision, input } = await decideWithFacts(budget.client, await withLabels(budget.client, initial, each))
      const shown = { iid, subject, title, state: state ?? 'unknown', url, seen: stored && seen !== undefined }
      outcomes.push(outcomeOf(shown, decision, input))
    } catch (error) {
      stopped = stoppedBy(error, maxCalls)
      break
    }
    options.onProgress?.({ evaluated: index + 1, of: past.length, calls: budget.made() })
  }
  const calls = { made: budget.made(), planned, most: maxCalls }
  return { outcomes, found: past.length, calls, stopped }
}

export type BacktestTrial = { ok: true; backtest: Backtest } | { ok: false; reason: string }

const mostCalls = 500

/** `context`: that of dry runs, which stores nothing. */
export function createRuleTrials(context: Context, dryRun: ReturnType<typeof createDryRun>) {
  const { client, journal, operator, now } = context
  const { offLabel } = operator
  let isRunning = false

  async function memoryOf({ project, sourceProject, sourceBranch: branch }: PastSubject) {
    const isNamed = sourceProject !== undefined && branch !== undefined
    const pushes = isNamed ? await journal.pushes.list({ project: sourceProject, branch }) : []
    const mark = await journal.marks.read(project, pipelinesMark)
    return { memory: { pushes }, mergeRequestPipelines: mark !== undefined }
  }

  async function run(project: number, text: string, last: number): Promise<BacktestTrial> {
    try {
      const { files, policy } = await context.rules.asIf(project, fileWith(text))
      const result = await backtest({
        client,
        project,
        files,
        last,
        offLabel,
        now,
        memoryOf,
        // As if the rules were turned on; the operator's limits stay.
        policy: { ...policy, mode: 'act' },
        maxCalls: mostCalls,
        pastOf: async ({ iid, subject }) => {
          const ref = subject === 'issue' ? issueRef(project, iid) : { project, iid }
          return (await lastOpenState(journal, ref)) ?? undefined
        },
      })
      return { ok: true, backtest: result }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { ok: false, reason: error.message }
    }
  }

  return {
    /** The repository's file as it was read last; undefined if it never was, or there is none. */
    async text(project: number): Promise<{ path: string; text: string } | undefined> {
      const record = await journal.ruleFiles.find({ project, path: repositoryRulePath })
      return record === undefined || record.text === null ? undefined : { path: record.path, text: record.text }
    },
    explain: (mergeRequest: MergeRequestRef, text: string, overrides: Overrides): Promise<DryRun> =>
      dryRun(mergeRequest, overrides, fileWith(text)),
    /** On the newest `last` merge requests, and as many issues if a rule is for issues. One at a time per process. */
    async backtest(project: number, text: string, last: number): Promise<BacktestTrial> {
      if (isRunning) return { ok: false, reason: 'Another backtest is running. Try again when it has ended.' }
      isRunning = true
      return run(project, text, last).finally(() => {
        isRunning = false
      })
    },
  }
}

const fileWith = (text: string): FileText => ({ text, blob: gitBlob(text) })
