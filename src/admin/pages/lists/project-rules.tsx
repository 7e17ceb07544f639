// The rules of one project: its files, their problems, and how often each rule matched.
import { neverMatched, type RuleStatus, type RulesResponse } from '../../api/routes/rules.ts'
import { Badge } from '../parts/badge.tsx'
import { Messages } from '../parts/details-list.tsx'
import { linkTo } from '../parts/links.tsx'
import { Time } from '../parts/time.tsx'
import { type Column, column, List, Part, plain } from './list.tsx'

function columnsFor(project: number): Column<RuleStatus>[] {
  return [
    plain(
      'Rule',
      ({ name, line }) => (
        <span>
          <a href={linkTo('/decisions', { project, rule: name })}>{name}</a> <span class="dim">{`line ${line}`}</span>
        </span>
      ),
      'wide',
    ),
    column(
      'Event',
      ({ on }) =>
        on?.map((each) => (
          <div key={each} class="one-line" title={each}>
            {each}
          </div>
        )) ?? 'any',
    ),
    column('Mode', ({ mode }) => (mode === 'act' ? mode : <Badge tone="warn">{mode}</Badge>)),
    column('Matched, acted', ({ acted }) => acted),
    column('Matched, nothing to do', ({ matched }) => matched),
    column('Unknown', ({ unknown }) => unknown),
    column('Last matched', (rule) =>
      neverMatched(rule) ? <Badge tone="idle">never</Badge> : rule.lastMatched && <Time at={rule.lastMatched} />,
    ),
  ]
}

export function Rules({ of, project }: { of: RulesResponse | undefined; project: string }) {
  if (of === undefined) return <p class="none">The rules were not read yet: the first delivery reads them.</p>
  return (
    <Part title="Rules">
      <p class="dim">
        Read from <code>{of.branch === '' ? 'no branch' : of.branch}</code> <Time at={of.readAt} />; counts cover the
        retention time. <a href={linkTo('/rules/try', { project })}>Try a change in the rule editor</a>
      </p>
      {of.mode !== 'act' && (
        <p class="notice">{`The operator set the mode of this project to ${of.mode}: no calls are sent.`}</p>
      )}
      {of.files.length === 0 && <p class="none">No rule files, neither in the repository nor the operator’s.</p>}
      {of.files.map((file) => (
        <section key={file.path} class="part">
          <div class="badges">
            <h3>{file.path}</h3>
            <Badge tone={file.trust === 'operator' ? 'info' : 'idle'}>{file.trust}</Badge>
            {file.broken && <Badge tone="bad">broken</Badge>}
            <FileVersion of={file} />
          </div>
          <List
            of={`Rules of ${file.path}`}
            items={file.rules}
            columns={columnsFor(of.project)}
            none="No rules of this file are in force."
          />
        </section>
      ))}
    </Part>
  )
}

/** Each of the repository’s file leads to its line in the rule editor. */
export function RuleProblems({ of: { problems }, project }: { of: RulesResponse; project: string }) {
  if (problems.length === 0) return null
  return (
    <div class="problem">
      <p>The newest rules are broken. The last good version stays in force, but may not approve or merge.</p>
      <Messages of={problems} editor={linkTo('/rules/try', { project })} />
    </div>
  )
}

export function FileVersion({ of }: { of: { blob: string | null; commit?: string } }) {
  const ids = Object.entries({ blob: of.blob, commit: of.commit }).filter((each): each is [string, string] =>
    Boolean(each[1]),
  )
  return (
    <>
      {ids.map(([word, id]) => (
        <span key={word} class="dim">
          {word} <code title={id}>{id.slice(0, 12)}</code>{' '}
        </span>
      ))}
    </>
  )
}
