// Approval rules of a project (GitLab Premium; not in api-v4.md).
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { approvalRule } from '../schemas/approval-rule.ts'
import { count, id, idOrPath, name, pageQuery } from '../schemas/scalars.ts'

const pathParams = { id: idOrPath }
const ofRule = { id: idOrPath, approval_rule_id: id }
const path = '/projects/:id/approval_rules'
const approvers = {
  user_ids: z.array(id).max(100).optional(),
  group_ids: z.array(id).max(100).optional(),
}
/** GitLab allows at most 100. */
const approvals_required = count.max(100)
const withoutPremium = { 404: 'the installation has no approval rules' }

export const approvalRules = {
  list: endpoint({
    method: 'GET',
    path,
    doc: 'List the approval rules (GitLab Premium).',
    pathParams,
    query: pageQuery,
    responses: { 200: z.array(approvalRule) },
    errors: withoutPremium,
    paged: true,
  }),
  get: endpoint({
    method: 'GET',
    path: `${path}/:approval_rule_id`,
    doc: 'A single approval rule (GitLab Premium).',
    pathParams: ofRule,
    responses: { 200: approvalRule },
    errors: withoutPremium,
  }),
  create: endpoint({
    method: 'POST',
    path,
    doc: 'Add an approval rule (GitLab Premium).',
    pathParams,
    body: { name, approvals_required, rule_type: z.enum(['regular', 'any_approver']).default('regular'), ...approvers },
    responses: { 201: approvalRule },
    errors: withoutPremium,
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:approval_rule_id`,
    doc: 'Edit an approval rule (GitLab Premium).',
    pathParams: ofRule,
    body: { name: name.optional(), approvals_required: approvals_required.optional(), ...approvers },
    needsOneOf: true,
    responses: { 200: approvalRule },
    errors: withoutPremium,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: `${path}/:approval_rule_id`,
    doc: 'Remove an approval rule (GitLab Premium).',
    pathParams: ofRule,
    responses: { 204: z.null() },
    errors: withoutPremium,
  }),
}
