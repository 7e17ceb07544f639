// Sweeps that a person asks for: all open merge requests of a project or group are judged again.
import * as z from 'zod'
import { byId, flag, nothing, why } from '../inputs.ts'
import { accepted, ok, refuse, route } from '../route.ts'
import * as shapes from '../shapes.ts'

const unknownSweep = 'There is no sweep of that id, or it was longer ago than a day.'

export const sweepRoutes = [
  route({
    name: 'start_sweep',
    method: 'post',
    path: '/sweeps',
    scope: 'replay',
    doc: 'Asks for a sweep of a project or group; it goes on after the answer.',
    params: nothing,
    input: z.strictObject({
      of: z.string().trim().min(1).max(500).describe('Id or full path of a project or group.'),
      dry_run: flag.default(false).describe('Only says what would be judged.'),
      why,
    }),
    answers: { 202: shapes.sweep },
    handle: async ({ input }, { sweep }) => accepted(await sweep(input.of, input.dry_run)),
  }),
  route({
    name: 'show_sweep',
    method: 'get',
    path: '/sweeps/{id}',
    scope: 'read',
    doc: 'How far a sweep is, and what came of it.',
    params: byId,
    input: nothing,
    answers: { 200: shapes.sweep },
    refusals: { 404: unknownSweep },
    async handle({ params }, { journal }) {
      const found = await journal.sweep(params.id)
      return found === undefined ? refuse(404, unknownSweep) : ok(found)
    },
  }),
]
