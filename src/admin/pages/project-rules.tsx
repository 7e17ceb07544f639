// The rules of one project: its files with blob and commit, what is wrong with them, and how often each rule held.
import { type FileShown, neverHeld, type RuleShown, type RulesAnswer } from '../routes/rules.ts'
import type { Page } from './page.ts'
import { Badge } from './parts/badge.tsx'
import { FileVersion } from './parts/file-version.tsx'
import { linkTo } from './parts/links.ts'
import { type Column, List } from './parts/list.tsx'
import { ProjectLink } from './parts/project-link.tsx'
import { Time } from './parts/time.tsx'

function columnsFor(project: number): Column<RuleShown>[] {
  return [
    {
      head: 'Rule',
      wide: true,
      cell: ({ name, line }) => (
        <span>
          <a href={linkTo('/decisions', { project: String(project), rule: name })}>{name}</a> <span class="dim">{`line ${line}`}</span>
        </span>
      ),
    },
    { head: 'Judged', cell: ({ on }) => (on === undefined ? 'always' : `on ${on.join(', ')}`) },
    { head: 'Mode', cell: ({ mode }) => (mode === 'act' ? mode : <Badge tone="warn">{mode}</Badge>) },
    { head: 'Acted', cell: ({ acted }) => acted },
    { head: 'Held, nothing to do', cell: ({ held }) => held },
    { head: 'Not known', cell: ({ unknown }) => unknown },
    {
      head: 'Held last',
      cell: (rule) => (neverHeld(rule) ? <Badge tone="idle">never</Badge> : rule.lastHeld && <Time at={rule.lastHeld} />),
    },
  ]
}

const goneColumns: Column<RulesAnswer['gone'][number]>[] = [
  { head: 'Rule', wide: true, cell: ({ name }) => name },
  { head: 'Acted', cell: ({ acted }) => acted },
  { head: 'Held, nothing to do', cell: ({ held }) => held },
  { head: 'Held last', cell: ({ lastHeld }) => lastHeld && <Time at={lastHeld} /> },
]

export const projectRulesPage: Page = {
  path: '/rules/{project}',
  async show({ params, ask }) {
    const { project, path, branch, readAt, mode, problems, files, gone } = await ask<RulesAnswer>('show_rules', { params })
    const title = `Rules of ${path}`
    return {
      title,
      body: (
        <>
          <h1>{title}</h1>
          <p class="dim">
            Read from <code>{branch === '' ? 'no branch' : branch}</code> <Time at={readAt} />; counted over as long as the history is kept.
            Project: <ProjectLink of={{ project, path }} />
          </p>
          {mode !== 'act' && <p class="notice">{`The operator’s mode for this project is ${mode}: no call is sent.`}</p>}
          {problems.length > 0 && (
            <div class="problem">
              <p>The newest version is broken. What was good last stays in force, but nothing is approved or merged by it.</p>
              <ul>
                {problems.map((each) => (
                  <li key={each}>
                    <code>{each}</code>
                  </li>
                ))}
              </ul>
            </div>
          )}
          {files.length === 0 && <p class="none">There is no rule file: neither in the repository nor of the operator.</p>}
          {files.map((file) => (
            <section key={file.path} class="stack">
              <FileHead of={file} />
              <List
                of={`Rules of ${file.path}`}
                items={file.rules}
                columns={columnsFor(project)}
                none="No rules are in force from this file."
              />
            </section>
          ))}
          {gone.length > 0 && (
            <section class="stack">
              <h2>No longer there</h2>
              <List of="Rules that are no longer there" items={gone} columns={goneColumns} none="" />
            </section>
          )}
        </>
      ),
    }
  },
}

function FileHead({ of: file }: { of: FileShown }) {
  const { path, trust, broken } = file
  return (
    <div class="file-head">
      <h2>{path}</h2>
      <Badge tone={trust === 'operator' ? 'info' : 'idle'}>{trust === 'operator' ? 'the operator’s' : 'the repository’s'}</Badge>
      {broken && <Badge tone="bad">broken</Badge>}
      <FileVersion of={file} />
    </div>
  )
}
