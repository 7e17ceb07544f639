// Tries an edited text of a project's rule file: on one merge request now, and on past ones. Sends and stores nothing.
import { ServiceError } from '../../client/errors.ts'
import { lastOpenState } from '../../journal/last-open-state.ts'
import type { Backtest } from '../../rules/backtest/totals.ts'
import { issueRef } from '../../rules/facts/definition/subject-ref.ts'
import type { Overrides } from '../../rules/testing/overrides.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { pipelinesMark } from '../evaluation/decide-input.ts'
import type { createDryRun, DryRun } from '../evaluation/dry-run.ts'
import { gitBlob } from '../rule-files/operator-files.ts'
import type { FileText } from '../rule-files/read-rule-file.ts'
import { repositoryRulePath } from '../rule-files/rules-in-force.ts'
import { backtest, type PastSubject } from './backtest.ts'

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
