// Rule files of one project over a journal in memory, and the service that holds them.
import { createHash, randomUUID } from 'node:crypto'
import { createRuleCache } from '../../../src/bot/rule-files/read-rule-file.ts'
import { createRuleFiles } from '../../../src/bot/rule-files/rule-files.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import type { RuleFileRecord } from '../../../src/journal/types.ts'
import type { RuleFileInForce } from '../../../src/rules/types.ts'
import { service } from '../../client/world.ts'
import { marksInMemory } from '../marks-in-memory.ts'
import { serves } from '../service-answers.ts'
import { type GivenContext, testContext } from '../test-context.ts'

export const MINUTE = 60_000
/** The commit of the branch while the file has this text. */
export const headWith = (text: string | null) => createHash('sha1').update(`commit of ${text}`).digest('hex')
export const rules = (name: string) =>
  `version: 1\nrules:\n  - name: ${name}\n    if: { draft: false }\n    then: { approve: true }\n`
export const broken = 'version: 1\nrules: 7\n'
export const blobOf = (text: string) => createHash('sha1').update(text).digest('hex')

/** `look` comes before each look into the journal. */
export function makeRuleFiles(operator: GivenContext['operator'] = {}, look = async () => {}) {
  const records = new Map<string, RuleFileRecord>()
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') }
  const journal: Pick<Journal, 'ruleFiles' | 'marks'> = {
    ruleFiles: {
      of: async (project) => {
        await look()
        const files = [...records.values()].filter((each) => each.project === project)
        const includedBy = [...records.values()].flatMap(({ project: includer, origin, good }) =>
          origin?.project === project && good !== null ? [{ project: includer, path: origin.path }] : [],
        )
        return { files, includedBy }
      },
      find: async ({ project, path }) => records.get(`${project} ${path}`),
      // All of them, or none.
      async save(project, files) {
        const before = [...records]
        const stay = new Set(files.map(({ path }) => path))
        try {
          for (const [key, each] of before) if (each.project === project && !stay.has(each.path)) records.delete(key)
          for (const file of files) records.set(`${file.project} ${file.path}`, file)
        } catch (error) {
          records.clear()
          for (const [key, record] of before) Map.prototype.set.call(records, key, record)
          throw error
        }
      },
    },
    marks: marksInMemory(),
  }
  const context = testContext({
    journal,
    now: () => clock.now,
    operator: { operatorFiles: [operatorFile('all.yml')], ...operator },
  })
  const files = createRuleFiles(context, createRuleCache())
  const names = async () =>
    (await files.inForce(7)).files
      .slice(1)
      .map(({ rules: file, broken: isBroken }) => [file.rules.map(({ name }) => name), isBroken])
  return { ...files, clock, names, records }
}

export const operatorFile = (path: string, projects?: string[]): RuleFileInForce => ({
  rules: { file: path, rules: [], ...(projects === undefined ? {} : { projects }) },
  path,
  blob: randomUUID(),
  trust: 'operator',
  broken: false,
})

/** The service's answer for one reading: project, then file. */
export function holds(text: string | null, { branch = 'main', status = 404, path = 'hotel/app' } = {}): void {
  const head = headWith(text)
  serves('/projects/7', { id: 7, default_branch: branch, path_with_namespace: path })
  serves(`/projects/7/repository/branches/${branch}`, { name: branch, commit: { id: head } })
  fileAtCommit(text, head, status)
}

/** The service's answer for the file at a commit, once. */
export function fileAtCommit(text: string | null, commit: string, status = 404): void {
  const file = service().get('/projects/7/repository/files/.bellhop.yml').query({ ref: commit })
  if (text === null) file.reply(status, { message: 'no' })
  else file.reply(200, { blob_id: blobOf(text), content: Buffer.from(text).toString('base64'), encoding: 'base64' })
}
