// The rules of one project: its files, their problems, and how often each rule matched.
import { neverMatched, type RuleFileStatus, type RuleStatus, type RulesResponse } from '../../api/routes/rules.ts'
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
  const editor = linkTo('/rules/try', { project })
  return (
    <Part title="Rules">
      {of === undefined ? (
        <p class="none">Not read yet: they are read with the first delivery.</p>
      ) : (
        <>
          <p class="dim">
            Read from <code>{of.branch === '' ? 'no branch' : of.branch}</code> <Time at={of.readAt} />; counts cover
            the retention time. <a href={editor}>Try a change in the rule editor</a>
          </p>
          {of.mode !== 'act' && (
            <p class="notice">{`The operator set the mode of this project to ${of.mode}: no calls are sent.`}</p>
          )}
          {of.files.length === 0 && <p class="none">No rule files, neither in the repository nor the operator’s.</p>}
          {of.files.map((file) => (
            <section key={file.path} class="part">
              <FileHead of={file} />
              <List
                of={`Rules of ${file.path}`}
                items={file.rules}
                columns={columnsFor(of.project)}
                none="No rules of this file are in force."
              />
            </section>
          ))}
        </>
      )}
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

function FileHead({ of: file }: { of: RuleFileStatus }) {
  const { path, trust, broken } = file
  return (
    <div class="badges">
      <h3>{path}</h3>
      <Badge tone={trust === 'operator' ? 'info' : 'idle'}>{trust}</Badge>
      {broken && <Badge tone="bad">broken</Badge>}
      <FileVersion of={file} />
    </div>
  )
}

export function FileVersion({ of: { blob, commit } }: { of: { blob: string | null; commit?: string } }) {
  return (
    <>
      {blob !== null && <Name word="blob" id={blob} />} {commit !== undefined && <Name word="commit" id={commit} />}
    </>
  )
}

function Name({ word, id }: { word: string; id: string }) {
  return (
    <span class="dim">
      {word} <code title={id}>{id.slice(0, 12)}</code>
    </span>
  )
}
