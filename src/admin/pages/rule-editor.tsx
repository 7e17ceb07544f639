// The rule editor: a rule file as text, its problems, and what it would decide, also on the past. It never writes.
import {
  actionCounts,
  type Backtest,
  type BacktestOutcome,
  type RuleTotals,
  relevant,
  summaryOf,
  totals,
} from '../../rules/backtest/totals.ts'
import type { NamedRef } from '../../rules/facts/definition/subject-ref.ts'
import { count } from '../../rules/language/values/wording.ts'
import type { RuleFileText, RuleTrial } from '../api/routes/rule-trials.ts'
import { DecisionView } from './decisions/decision-view.tsx'
import { type DashboardPage, orUndefined, type PageView } from './definition/page.ts'
import { CsrfField, OverridesField } from './forms/action-form.tsx'
import { type Column, column, List, plain } from './lists/list.tsx'
import { Badge } from './parts/badge.tsx'
import { Messages } from './parts/details-list.tsx'
import { linkTo, MergeRequestLink, ProjectLink } from './parts/links.tsx'

const rules: Column<RuleTotals>[] = [
  plain('Rule', ({ rule }) => rule, 'wide'),
  column('Matched', (each) => (each.forEvents ? 'for events: not evaluated' : each.matched)),
  column('Not matched', (each) => !each.forEvents && each.notMatched),
  column('Unknown', (each) => !each.forEvents && each.unknown),
  column('Actions', actionCounts),
]

function columnsFor({ project, path }: NamedRef): Column<BacktestOutcome>[] {
  return [
    plain('Subject', ({ iid, subject }) => <MergeRequestLink of={{ project, path, iid, subject }} />),
    plain('State', ({ state }) => <Badge tone="idle">{state}</Badge>),
    plain('Title', ({ title }) => title, 'wide'),
    column('Matched rules', (each) => summaryOf(each).matched.join(', ')),
    column('Actions', (each) => summaryOf(each).actions.join(', ')),
    column('Unknown', (each) => summaryOf(each).unknown.join(', ')),
  ]
}

function BacktestView({ of, project }: { of: Backtest; project: NamedRef }) {
  const { outcomes, found, calls, stopped } = of
  const all = totals(outcomes)
  const shown = relevant(outcomes)
  return (
    <>
      <h2>Backtest</h2>
      <p>
        {all.evaluated} of {found} evaluated with {count(calls.made, 'API call')}.
        {all.evaluated > all.decided &&
          ` ${all.evaluated - all.decided} not decided, because facts of the past are unknown. An action with a question mark depends on such a fact.`}
      </p>
      {stopped !== undefined && <p class="notice">Stopped: {stopped.reason}.</p>}
      <List of="Rules" items={all.rules} columns={rules} none="The text has no rules." />
      <List
        of="Merge requests and issues"
        items={shown}
        columns={columnsFor(project)}
        none="No rule matches any of these."
      />
      {shown.length > 0 && outcomes.length > shown.length && (
        <p class="dim">{`${outcomes.length - shown.length} others without a matched rule.`}</p>
      )}
    </>
  )
}

const path = '/rules/try'

/** The fields of the form. */
type Fields = Partial<Record<'text' | 'project' | 'iid' | 'subject' | 'overrides' | 'last', string>>

const example = `version: 1
rules:
  - name: label documentation
    if: { changed_files: { all: "docs/**" } }
    then: { label: { add: documentation } }
`

export const ruleEditorPage: DashboardPage = {
  path,
  forms: {
    try_rules: ({ input, reply }) => editor(input, reply.body as RuleTrial),
  },
  async show({ query, api }) {
    const { project, iid, subject } = query
    const file = project === undefined ? undefined : await orUndefined(api<RuleFileText>('show_rule_file', { project }))
    const fields = { text: file?.text ?? example, project, iid, subject }
    const trial = await api<RuleTrial>('try_rules', fields)
    return editor(fields, trial)
  },
}

function editor(fields: Fields, trial: RuleTrial): PageView {
  return {
    title: 'Rule editor',
    body: (
      <>
        <p class="dim">
          Nothing is written: copy the text to <code>.bellhop.yml</code> of the repository.
          {trial.of !== undefined && (
            <>
              {' '}
              Project: <ProjectLink of={trial.of} />
            </>
          )}
        </p>
        <EditorForm fields={fields} trial={trial} />
        <Result of={trial} />
      </>
    ),
  }
}

const fewestLines = 20

function EditorForm({ fields, trial }: { fields: Fields; trial: RuleTrial }) {
  const { text = '', project, iid = '', subject, overrides = '', last = '20' } = fields
  const numbers = Array.from({ length: Math.max(fewestLines, text.split('\n').length) }, (_, line) => line + 1)
  return (
    <form class="editor" method="post" action={`${linkTo(path)}#result`} data-check>
      <CsrfField />
      <label for="text">Rules</label>
      <div class="scrolls numbered">
        <div aria-hidden="true">
          {numbers.map((number) => (
            <span key={number} id={`line-${number}`}>
              {number}
            </span>
          ))}
        </div>
        <textarea
          id="text"
          name="text"
          rows={numbers.length}
          wrap="off"
          spellcheck={false}
          aria-describedby="problems"
          // A browser drops the first line break, which counts for the line numbers.
          value={/^\r?\n/.test(text) ? `\n${text}` : text}
        />
      </div>
      <Problems of={trial} />
      <div class="actions">
        <button type="submit" name="do" value="check" class="main">
          Check
        </button>
        <button type="button" data-copy="text" hidden>
          Copy the text
        </button>
      </div>
      {project !== undefined && (
        <div class="columns">
          <input type="hidden" name="project" value={project} />
          <fieldset class="column">
            <legend>Explain a merge request or an issue</legend>
            <label for="subject">Subject</label>
            <select id="subject" name="subject">
              <option value="">merge request</option>
              <option value="issue" selected={subject === 'issue'}>
                issue
              </option>
            </select>
            <label for="iid">Number</label>
            <input id="iid" name="iid" value={iid} inputMode="numeric" pattern="[0-9]*" size={8} />
            <OverridesField value={overrides} subject={subject} />
            <button type="submit" name="do" value="explain">
              Explain
            </button>
          </fieldset>
          <fieldset class="column">
            <legend>Backtest on the past</legend>
            <label for="last">Newest merge requests, and issues (at most 50 each)</label>
            <input id="last" name="last" type="number" min={1} max={50} value={last} />
            <button type="submit" name="do" value="backtest">
              Backtest
            </button>
          </fieldset>
        </div>
      )}
    </form>
  )
}

/** Replaced by the script while the text is edited. */
function Problems({ of: { problems, warnings } }: { of: RuleTrial }) {
  return (
    <div id="problems" role="status">
      {problems.length === 0 && <p class="done">No problems.</p>}
      {problems.length > 0 && <Messages of={problems} tone="problem" editor="" />}
      {warnings.length > 0 && <Messages of={warnings} tone="notice" editor="" />}
    </div>
  )
}

function Result({ of: { of, decision, backtest, reason } }: { of: RuleTrial }) {
  return (
    <section id="result" class="part" aria-label="Result">
      {reason !== undefined && <p class="problem">{reason}</p>}
      {of !== undefined && decision !== undefined && (
        <>
          <h2>
            What would be decided about <MergeRequestLink of={{ ...of, iid: of.iid ?? 0 }} /> now
          </h2>
          <DecisionView of={decision} on={of} made={false} />
        </>
      )}
      {of !== undefined && backtest !== undefined && <BacktestView of={backtest} project={of} />}
    </section>
  )
}
