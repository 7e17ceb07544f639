// The rules of one project: its files, their problems, and how often each rule matched.
import { neverMatched, type RuleFileStatus, type RuleStatus, type RulesResponse } from '../api/routes/rules.ts'
import type { DashboardPage } from './definition/page.ts'
import { type Column, column, List, plain } from './lists/list.tsx'
import { Badge } from './parts/badge.tsx'
import { Messages } from './parts/details-list.tsx'
import { linkTo, ProjectLink } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

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

export const projectRulesPage: DashboardPage = {
  path: '/rules/{project}',
  async show({ params, api }) {
    const { project, path, branch, readAt, mode, problems, files } = await api<RulesResponse>('show_rules', params)
    const title = `Rules of ${path}`
    return {
      title,
      body: (
        <>
          <p class="dim">
            Read from <code>{branch === '' ? 'no branch' : branch}</code> <Time at={readAt} />; counts cover the
            retention time. Project: <ProjectLink of={{ project, path }} />
          </p>
          <p>
            <a href={linkTo('/rules/try', { project })}>Try a change in the rule editor</a>
          </p>
          {mode !== 'act' && (
            <p class="notice">{`The operator set the mode of this project to ${mode}: no calls are sent.`}</p>
          )}
          {problems.length > 0 && (
            <div class="problem">
              <p>The newest version is broken. The last good version stays in force, but may not approve or merge.</p>
              <Messages of={problems} />
            </div>
          )}
          {files.length === 0 && <p class="none">No rule files, neither in the repository nor the operator’s.</p>}
          {files.map((file) => (
            <section key={file.path} class="part">
              <FileHead of={file} />
              <List
                of={`Rules of ${file.path}`}
                items={file.rules}
                columns={columnsFor(project)}
                none="No rules of this file are in force."
              />
            </section>
          ))}
        </>
      ),
    }
  },
}

function FileHead({ of: file }: { of: RuleFileStatus }) {
  const { path, trust, broken } = file
  return (
    <div class="file-head">
      <h2>{path}</h2>
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
