// The resources of the page have the fields that its tables name; other fields of real installations are optional.
import type { z } from 'zod'
import { groupDetails } from '../../src/api/schemas/group.ts'
import { timeStats } from '../../src/api/schemas/issue.ts'
import { approvals, mergeRequest } from '../../src/api/schemas/merge-request.ts'
import { hook, project, pushRule, upload } from '../../src/api/schemas/project.ts'
import { fieldsOfPage, page } from './page.ts'

const fieldsOf = (schema: z.ZodObject) => Object.keys(schema.shape)

describe.skipIf(page === undefined)('the page’s tables (skipped where ../shared/api-v4.md is absent)', () => {
  it.each<[string, z.ZodObject, number]>([
    ['2.1', groupDetails, 16],
    ['2.2', project, 44],
    ['2.4', mergeRequest, 33],
  ])('§%s names only fields that the contract has', (section, schema, count) => {
    const fields = fieldsOfPage(page ?? '', section)
    expect(fields).toHaveLength(count)
    expect(fieldsOf(schema)).toEqual(expect.arrayContaining(fields))
  })
})

it.each<[string, z.ZodObject, string]>([
  ['§2.5 time stats', timeStats, 'time_estimate total_time_spent human_time_estimate human_total_time_spent'],
  [
    '§2.6 approval status',
    approvals,
    'id iid project_id title description state merge_status created_at updated_at approvals_required approvals_missing approvals_left approved_by',
  ],
  [
    '§2.7 hook',
    hook,
    'id project_id url push_events issues_events merge_requests_events tag_push_events note_events job_events pipeline_events wiki_page_events enable_ssl_verification created_at',
  ],
  [
    '§2.7 push rule',
    pushRule,
    'id project_id commit_message_regex branch_name_regex author_email_regex file_name_regex deny_delete_tag member_check prevent_secrets max_file_size created_at',
  ],
  ['§2.7 upload', upload, 'alt url markdown'],
])('the page’s prose %s has all its fields', (_, schema, fields) => {
  expect(fieldsOf(schema)).toEqual(expect.arrayContaining(fields.split(' ')))
})
