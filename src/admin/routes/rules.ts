// Rules: which files are in force in a project, what is wrong with them, and how often each of their rules held.
import * as z from 'zod'
import { ruleTallyName } from '../../journal/tallies.ts'
import type { RuleTally } from '../../journal/types.ts'
import { ruleSet } from '../../rules/rules-in-force.ts'
import type { Mode, RuleFileInForce } from '../../rules/types.ts'
import type { Desk, KnownRules } from '../desk.ts'
import { integer, nothing } from '../inputs.ts'
import { knownAfter, nextPage, projectsPage } from '../known-projects.ts'
import { ok, refuse, route } from '../route.ts'

export interface ProjectRules {
  project: number
  path: string
  /** ISO 8601: when the repository's file was read. */
  readAt: string
  rules: number
  /** How many of them never held as long as the history is kept. */
  neverHeld: number
  problems: string[]
}

export interface RuleShown extends RuleTally {
  name: string
  line: number
  mode: Mode
  /** The events that it waits for. */
  on?: string[]
}

export interface FileShown {
  path: string
  trust: RuleFileInForce['trust']
  blob: string | null
  /** Of the repository's own file: the commit that it was read at. Absent while the newest version is broken: an older one is in force. */
  commit?: string
  broken: boolean
  rules: RuleShown[]
}

export interface RulesAnswer extends Pick<KnownRules, 'problems' | 'branch' | 'readAt'> {
  project: number
  path: string
  mode: Mode
  files: FileShown[]
  /** Rules that are no longer there, and held. */
  gone: (RuleTally & { name: string })[]
}

const unknownRules = 'No rules of that project were ever read.'
const mostGone = 50
const count = z.int().nonnegative()
const problems = z.array(z.string()).describe('`FILE:LINE:COLUMN: …`')
const tally = {
  acted: count.describe('Held, and a call was done for it.'),
  held: count.describe('Held, and nothing was done.'),
  unknown: count,
  lastHeld: z.iso.datetime().optional(),
}

export const ruleRoutes = [
  route({
    name: 'list_rules',
    method: 'get',
    path: '/rules',
    scope: 'read',
    doc: 'The projects whose rules are known: what is wrong with their files, and how many rules never held.',
    params: nothing,
    input: z.strictObject(projectsPage),
    answers: {
      200: z.object({
        items: z.array(
          z.object({ project: z.int(), path: z.string(), readAt: z.iso.datetime(), rules: count, neverHeld: count, problems }),
        ),
        next: nextPage,
      }),
    },
    async handle({ input }, desk) {
      const { projects, next } = await knownAfter(desk, input)
      const items: ProjectRules[] = []
      for (const project of projects) {
        const found = await rulesOf(desk, project)
        if (found === undefined) continue
        const { path, readAt, problems: wrong } = found
        const rules = found.files.flatMap((file) => file.rules)
        items.push({ ...{ project, path, readAt, problems: wrong, rules: rules.length }, neverHeld: rules.filter(neverHeld).length })
      }
      return ok({ items, ...next })
    },
  }),
  route({
    name: 'show_rules',
    method: 'get',
    path: '/rules/{project}',
    scope: 'read',
    doc: 'The rule files in force for a project, and how often each of their rules held as long as the history is kept.',
    params: z.object({ project: integer }),
    input: nothing,
    answers: {
      200: z.object({
        ...{ project: z.int(), path: z.string(), branch: z.string(), readAt: z.iso.datetime(), mode: z.string(), problems },
        files: z.array(
          z.object({
            ...{ path: z.string(), trust: z.string(), blob: z.string().nullable(), commit: z.string().optional(), broken: z.boolean() },
            rules: z.array(z.object({ name: z.string(), line: count, mode: z.string(), on: z.array(z.string()).optional(), ...tally })),
          }),
        ),
        gone: z.array(z.object({ name: z.string(), ...tally })).describe('Rules that are no longer there, and held.'),
      }),
    },
    refusals: { 404: unknownRules },
    async handle({ params: { project } }, desk) {
      const answer = await rulesOf(desk, project)
      return answer === undefined ? refuse(404, unknownRules) : ok(answer)
    },
  }),
]

export const neverHeld = ({ acted, held }: Pick<RuleTally, 'acted' | 'held'>) => acted + held === 0

async function rulesOf({ journal, service, rulesOf: known, now }: Desk, project: number): Promise<RulesAnswer | undefined> {
  const found = await known(project)
  if (found === undefined) return undefined
  const tallies = await journal.ruleTallies(service, project, new Date(now()))
  const { files, policy, problems: wrong, branch, readAt } = found
  const inForce = ruleSet(files, policy).rules
  const names = new Set(inForce.map(({ name }) => ruleTallyName(name)))
  return {
    ...{ project, path: found.projectPath, branch, readAt, mode: policy.mode, problems: wrong },
    files: files.map((file) => ({
      ...{ path: file.path, trust: file.trust, blob: file.blob, broken: file.broken },
      ...(file.commit === undefined ? {} : { commit: file.commit }),
      rules: inForce.flatMap((each) =>
        each.file.path === file.path && each.file.trust === file.trust
          ? [
              {
                ...{ name: each.rule.name, line: each.rule.line, mode: each.mode },
                ...(each.rule.on === undefined ? {} : { on: each.rule.on.map(({ kind }) => kind) }),
                ...(tallies.get(ruleTallyName(each.name)) ?? { acted: 0, held: 0, unknown: 0 }),
              },
            ]
          : [],
      ),
    })),
    gone: [...tallies].flatMap(([name, of]) => (names.has(name) || neverHeld(of) ? [] : [{ name, ...of }])).slice(0, mostGone),
  }
}
