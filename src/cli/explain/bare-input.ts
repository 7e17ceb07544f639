// What facts are read from, for a merge request or an issue of which only these answers are known.
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import type { DecideInput, MergeRequestRef } from '../../rules/types.ts'

export const bareInput = (mergeRequest: MergeRequestRef, answers: DecideInput['answers'] = {}): DecideInput => ({
  ...{ mergeRequest, answers, files: [], events: [], memory: emptyMemory(), now: new Date(0).toISOString() },
  ...{ bot: { id: 0, username: '' }, project: { mergeRequestPipelines: false } },
})
