// Answers of real services, recorded by other projects, fit the contract as they are.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { endpointsByName } from '../../src/api/index.ts'
import { milestone, note } from '../../src/api/schemas/issue.ts'
import { approvals, job, mergeRequest, pipeline, todo } from '../../src/api/schemas/merge-request.ts'
import { hook, project } from '../../src/api/schemas/project.ts'
import { commitStatus, repositoryFile } from '../../src/api/schemas/repository.ts'
import { member, resourceAccessToken, user } from '../../src/api/schemas/user.ts'

const folder = fileURLToPath(new URL('../../../shared/rest-samples/', import.meta.url))
const isHere = existsSync(folder)

/** Resources by the beginning of a file's name; the first that fits. Other files are not of this contract, or cut. */
const resources: readonly (readonly [RegExp, z.ZodType])[] = [
  [/^atlantis-group-membership/, member],
  [/^atlantis-user|-user\.json$/, user],
  [/^atlantis-project/, project],
  [/^atlantis-pull-request/, mergeRequest],
  [/^atlantis-(?:pipeline|head-pipeline|merge|detailed|gitlab-get)/, mergeRequest],
  [/^drone-award_emoji/, endpointsByName.get('issues.awardEmoji.create')?.responses[201] as z.ZodType],
  [/^drone-content/, repositoryFile],
  [/hook\.json$/, hook],
  [/^drone-(?:merge|issue)_note|note\.json$/, note],
  [/^drone-merge\.json$|^gitlab4j-merge-request\.json$/, mergeRequest],
  [/^drone-milestone/, milestone],
  [/^drone-repo/, project],
  [/status(?:es)?\.json$/, commitStatus],
  [/approvals\.json$/, approvals],
  [/job\.json$/, job],
  [/pipeline\.json$/, pipeline],
  [/access-token\.json$/, resourceAccessToken],
  [/todos\.json$/, todo],
]

describe.skipIf(!isHere)('recorded answers (skipped where ../shared/rest-samples is absent)', () => {
  const files = isHere ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  const known = files.flatMap((name) => {
    const schema = resources.find(([pattern]) => pattern.test(name))?.[1]
    return schema === undefined ? [] : [{ name, schema }]
  })

  it('are many', () => expect(known.length).toBeGreaterThan(35))

  it.each(known)('$name', ({ name, schema }) => {
    const body: unknown = JSON.parse(readFileSync(folder + name, 'utf8'))
    const shape = Array.isArray(body) ? z.array(schema) : schema
    expect(shape.safeParse(body).error?.issues ?? []).toEqual([])
  })
})

it('says so in the OpenAPI document too', () => {
  const { required } = z.toJSONSchema(mergeRequest)
  expect(required).toEqual(expect.arrayContaining(['iid', 'title', 'state', 'source_branch', 'target_branch']))
  expect(required).not.toEqual(expect.arrayContaining(['milestone']))
})
