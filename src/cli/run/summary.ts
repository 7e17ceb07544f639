// What one run did: for each merge request and issue the verdict, and what was done or blocks; as text, Markdown, JSON.
import type { DryRun } from '../../bot/evaluation/dry-run.ts'
import { repositoryRulePath } from '../../bot/rule-files/rules-in-force.ts'
import type { RunProject, RunSweep } from '../../bot/sweep/run-once.ts'
import type { Journal } from '../../journal/journal.ts'
import type { DecisionRecord, RefName } from '../../journal/types.ts'
import { outcomeOf } from '../../rules/explain/decision-outcome.ts'
import { sayDecision } from '../../rules/explain/history.ts'
import { publicRecordedRule } from '../../rules/explain/public-text.ts'
import { sayVerdict } from '../../rules/explain/verdict.ts'
import {
  fullRefName,
  isIssue,
  isProject,
  type NamedRef,
  refName,
  shownRef,
} from '../../rules/facts/definition/subject-ref.ts'
import { harmless } from '../../rules/language/templates.ts'
import { count, cut } from '../../rules/language/values/wording.ts'
import type { Decision, MergeRequestRef } from '../../rules/types.ts'
import { colours, plain } from '../output/terminal-text.ts'

export interface RunSubject extends NamedRef {
  name: string
  /** Absent for an issue. */
  verdict?: string
  /** Sentences: what was done, refused or held back; in a dry run, what would be done. */
  done: string[]
  failed: boolean
}

export interface RunSummary {
  dryRun: boolean
  /** Why it ended before all was done, if it did. */
  stopped?: string
  /** Why nothing was remembered, if nothing was. */
  forgotten?: string
  /** Sentences about projects that were not evaluated, or not as they should be; each makes the run fail. */
  problems: string[]
  projects: { project: number; path?: string; looked: number; skipped?: string }[]
  subjects: RunSubject[]
}

type Given = Pick<RunSummary, 'dryRun' | 'stopped' | 'forgotten'> & {
  sweep: RunSweep | undefined
  subjects: RunSubject[]
  /** Of the jobs that could not be done. */
  failures: readonly string[]
}

export function summaryOf({ sweep, subjects, failures, ...given }: Given): RunSummary {
  const projects = sweep?.projects ?? []
  const all = sweep?.notAllFound === true ? ['Not all projects were found: name the subgroups one by one.'] : []
  return {
    ...given,
    problems: [...all, ...projects.flatMap(problemsOf), ...failures],
    projects: projects.map(({ project, path, looked, skipped, problems }) => {
      // A broken file is among the problems.
      const why = problems.length > 0 ? undefined : skipped
      return { project, path, looked, skipped: why }
    }),
    subjects,
  }
}

/** Whether a call failed, a rule file is broken, or something is left to do. */
export const hasFailed = ({ stopped, problems, subjects }: RunSummary) =>
  stopped !== undefined || problems.length > 0 || subjects.some(({ failed }) => failed)

function problemsOf({ failed, left, problems, ...project }: RunProject): string[] {
  const name = refName(project)
  return [
    ...(failed === undefined ? [] : [`${name}: ${failed}`]),
    ...(left ? [`${name}: not all of it was read: the next run continues.`] : []),
    ...problems.map((problem) => `${name}: ${problem}`),
  ]
}

/** The log of a job may have more readers than the merge request: what only some may read is left out. */
const publicPart = (decision: Decision): Decision => ({
  ...decision,
  rules: decision.rules.map((rule) => publicRecordedRule(rule, rule.file === repositoryRulePath)),
})

/** By the decisions that a run has made. Throws JournalUnavailable. */
export async function decidedSince(journal: Journal, since: string): Promise<RunSubject[]> {
  const of = new Map<string, DecisionRecord[]>()
  for (let after: string | undefined; ; ) {
    const page = await journal.decisions.list({ since, limit: 200, ...(after !== undefined && { after }) })
    for (const each of page.items) {
      const key = refName(each.mergeRequest)
      of.set(key, [each, ...(of.get(key) ?? [])])
    }
    if (page.next === undefined) break
    after = page.next
  }
  const found = [...of.values()]
  const refs = found.flatMap(([first]) => (first === undefined ? [] : [first.mergeRequest]))
  const names = await journal.mergeRequests.names(refs)
  return inOrder(refs.map((ref, at) => subjectOf(ref, names[at], found[at] ?? [])))
}

const inOrder = (subjects: RunSubject[]) =>
  subjects.sort((a, b) => a.project - b.project || (a.iid ?? 0) - (b.iid ?? 0))

/** `decisions`: oldest first; only the last one tells what is held back. */
function subjectOf(ref: MergeRequestRef, name: RefName | undefined, all: readonly Decision[]): RunSubject {
  const decisions = all.map(publicPart)
  const last = decisions.at(-1)
  const acted = decisions.filter(({ responses }) => responses.length > 0)
  const sent = acted.flatMap((each) =>
    sayDecision({ ...each, paused: undefined, rules: each.rules.map(withoutActions) }),
  )
  const held = last === undefined || acted.includes(last) ? [] : sayDecision(last)
  const done = [...new Set([...sent, ...held])].filter((said) => !isIdle(said))
  const failed = decisions.some((each) => outcomeOf(each) === 'failed')
  return { ...named(ref, name), ...verdictOf(ref, last), done, failed }
}

const withoutActions = (rule: Decision['rules'][number]) => ({ ...rule, actions: [] })
/** The verdict says so already. */
const isIdle = (said: string) => said === 'Nothing to do' || said.startsWith('Not merged: ')

/** What a dry run would do. */
export function wouldDo(ref: MergeRequestRef, name: RefName, tried: DryRun): RunSubject {
  if (!tried.ok) return { ...named(ref, name), done: [tried.reason], failed: true }
  const decision = publicPart(tried.decision)
  const calls = decision.rules.flatMap((rule) =>
    rule.actions.flatMap(({ action, result, detail }) =>
      result === 'call' ? [`would ${action}: ${detail}, by rule ${JSON.stringify(rule.name)}`] : [],
    ),
  )
  const done = calls.length > 0 ? calls : sayDecision({ ...decision, calls: [] }).filter((said) => !isIdle(said))
  return { ...named(ref, name), ...verdictOf(ref, decision), done, failed: false }
}

function named(ref: MergeRequestRef, name: RefName | undefined) {
  const shown: NamedRef = { ...shownRef(ref), ...name }
  return { ...shown, name: fullRefName(shown) }
}

const verdictOf = (ref: MergeRequestRef, decision: Decision | undefined) =>
  decision === undefined || isIssue(ref) || isProject(ref) ? {} : { verdict: sayVerdict(decision) }

/** One line for the whole run. */
function totalOf({ dryRun, subjects, projects }: RunSummary): string {
  const looked = projects.reduce((sum, each) => sum + each.looked, 0)
  return `${count(projects.length, 'project')}, ${looked} read, ${subjects.length} evaluated${dryRun ? '; nothing was sent' : ''}.`
}

/** Sentences that come before the list. */
const remarksOf = ({ stopped, forgotten, projects, problems }: RunSummary) => [
  ...(forgotten === undefined ? [] : [`Nothing is remembered: ${forgotten}.`]),
  ...projects.flatMap(({ skipped, ...project }) => (skipped === undefined ? [] : [`${refName(project)}: ${skipped}.`])),
  ...problems,
  ...(stopped === undefined ? [] : [`Not all was done: ${stopped}.`]),
]

export function textOf(summary: RunSummary): string[] {
  const { subjects } = summary
  return [
    ...remarksOf(summary).map(plain),
    ...subjects.flatMap(({ name, verdict, done, failed }) => [
      colours.bold(plain(cut(name, 119))),
      ...(verdict === undefined ? [] : [`  ${plain(verdict)}`]),
      ...done.map((each) => `  - ${failed ? colours.red(plain(each)) : plain(each)}`),
    ]),
    totalOf(summary),
  ]
}

/** Texts of others cannot become markup. */
export function markdownOf(summary: RunSummary): string {
  const said = (text: string) => harmless(plain(text)).replaceAll('|', '\\|')
  const { subjects } = summary
  const linked = ({ name, url = '' }: RunSubject) =>
    /^https?:[^\s()<>|]+$/.test(url) ? `[${said(name)}](${url})` : said(name)
  const rows = subjects.map(
    (each) => `| ${linked(each)} | ${said(each.verdict ?? '')} | ${said(each.done.join('; '))} |`,
  )
  const table = rows.length === 0 ? [] : ['', '| what | verdict | done |', '|---|---|---|', ...rows]
  const lines = ['# Bellhop', '', totalOf(summary), ...remarksOf(summary).flatMap((each) => ['', said(each)]), ...table]
  return `${lines.join('\n')}\n`
}
