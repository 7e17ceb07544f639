// Explain now: what the running bot would decide about a merge request at this moment, and what it would decide if something were otherwise.
import * as z from 'zod'
import { readSuppositions } from '../../rules/suppositions.ts'
import type { Decision, MergeRequestRef } from '../../rules/types.ts'
import { iidOrProject, integer } from '../inputs.ts'
import { ok, refuse, route } from '../route.ts'
import * as shapes from '../shapes.ts'

/** The answer; `decision` is absent where the service cannot be read at the moment, and `reason` says why. */
export interface ExplainAnswer {
  mergeRequest: MergeRequestRef
  suppose: string[]
  decision?: Decision
  reason?: string
}

const lines = (text: string) => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))

export const explainRoutes = [
  route({
    name: 'explain',
    method: 'post',
    path: '/merge-requests/{project}/{iid}/explain',
    scope: 'replay',
    doc: 'Says what would be decided now, with all that the bot remembers; nothing is sent, and nothing is kept. It reads the service.',
    params: z.object({ project: integer, iid: iidOrProject }),
    input: z.strictObject({
      suppose: z
        .union([z.array(z.string().max(2_000)), z.string().max(20_000).transform(lines)])
        .pipe(z.array(z.string()).max(20))
        .default([])
        .describe(
          'What is to be taken as given, each in a line as `bellhop explain --suppose` takes it: `pipeline=success`, `labels+=ready`.',
        ),
    }),
    answers: {
      200: z.looseObject({ mergeRequest: shapes.mergeRequestRef, suppose: z.array(z.string()), reason: z.string().optional() }),
    },
    async handle({ params, input: { suppose } }, { dryRun, service }) {
      const read = readSuppositions(suppose)
      if (!read.ok) return refuse(400, read.problems.join('\n'))
      const mergeRequest = { service, ...params }
      const run = await dryRun(mergeRequest, read.suppositions)
      const answer: ExplainAnswer = { mergeRequest, suppose, ...(run.ok ? { decision: run.decision } : { reason: run.reason }) }
      return ok(answer)
    },
  }),
]
