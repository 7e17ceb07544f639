// Explain: what the running bot would decide about a merge request or an issue now, and with facts replaced.
import * as z from 'zod'
import { readOverrides } from '../../../rules/testing/overrides.ts'
import type { Decision } from '../../../rules/types.ts'
import { refOf, subjects } from '../inputs.ts'
import * as schemas from '../response-schemas.ts'
import { missingScope, ok, postRoute, refuse } from '../route.ts'

const explainResponse = z.object({
  mergeRequest: schemas.mergeRequestRef,
  overrides: z.array(z.string()),
  decision: schemas.object<Decision>().optional(),
  reason: z.string().optional().describe('Why there is no decision: the service cannot be read, or does not show it.'),
})
export type ExplainResponse = z.output<typeof explainResponse>

const lines = (text: string) => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))

export const overrideTexts = z
  .union([z.array(z.string().max(2_000)), z.string().max(20_000).transform(lines)])
  .pipe(z.array(z.string()).max(20))
  .default([])
  .describe('What-if overrides, one a line, as in `bellhop explain --what-if`: `pipeline=success`, `labels+=ready`.')

export const explainRoutes = subjects.map(({ of, a, path, params: taken, subject }) =>
  postRoute(of === 'issue' ? 'explain_issue' : 'explain', `${path}/explain`, 'replay', {
    subject,
    readOnly: true,
    doc: `Explains what would be decided about ${a} now, with the memory of the bot. Reads the service; sends and stores nothing. Needs the scope \`read\` too.`,
    params: taken,
    input: z.strictObject({ overrides: overrideTexts }),
    responses: { 200: explainResponse },
    async handle({ params, input: { overrides }, by, scopes }, { dryRun }) {
      if (!scopes.includes('read')) return refuse(403, missingScope(by, 'read'))
      const read = readOverrides(overrides)
      if (!read.ok) return refuse(400, read.problems.join('\n'))
      const mergeRequest = refOf({ ...params, subject })
      const run = await dryRun(mergeRequest, read.overrides)
      const result = run.ok ? { decision: run.decision } : { reason: run.reason }
      return ok<ExplainResponse>({ mergeRequest, overrides, ...result })
    },
  }),
)
