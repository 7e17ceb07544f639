// A merge request that closes issues of several projects, as the bot's token sees them, and what Bellhop makes of it.

import { createView } from '../../src/rules/facts/reading/fact-view.ts'
import type { DecideInput, SourceAnswers } from '../../src/rules/types.ts'
import { answer, answers, file, input, refused, rule, rules } from './world.ts'

export const ownProject = 1
export const otherProject = 55

export const closing = (fields: object = {}) => ({
  id: 900,
  iid: 12,
  project_id: otherProject,
  confidential: false,
  title: 'The vault',
  labels: ['gold'],
  ...fields,
})
export const member = (access_level: number) => answer({ id: 2, access_level })
export const visible = (visibility: string, issues_access_level: string | undefined = 'enabled') =>
  answer({ id: otherProject, visibility, issues_access_level })

/** By default, the other project is private, the author is no member of it, and the own project is public. */
export const issueAnswers = (issues: unknown[], other: SourceAnswers = {}): SourceAnswers =>
  answers(
    {},
    {
      closesIssues: answer(issues),
      project: answer({ id: ownProject, default_branch: 'main', visibility: 'public', issues_access_level: 'enabled' }),
      authorAccess: refused(),
      [`otherProject@${otherProject}`]: visible('private'),
      [`authorAccessIn@${otherProject}`]: refused(),
      ...other,
    },
  )

/** The titles as rules and as public text see them. */
export function titles(issues: unknown[], other: SourceAnswers = {}, more: Partial<DecideInput> = {}) {
  const view = createView(
    input([file(rules(rule('{ draft: false }', '{ subscribe: true }')))], {
      answers: issueAnswers(issues, other),
      ...more,
    }),
  )
  return { forRules: view.fact('closes_issue_titles'), inPublic: view.publicFact('closes_issue_titles') }
}
