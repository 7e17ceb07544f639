// What a standing request is for after a merge queue rebased its head (`test: rebase`): the rebased head.
import { isOwn } from '../../facts/definition/bot-user.ts'
import { queueFor } from '../../language/queues.ts'
import type { DecideInput, Memory } from '../../types.ts'

/** Only where Bellhop itself pushed the head in place of the queued one, and nobody else after that. */
export function followRebase(
  { memory, bot, files }: Pick<DecideInput, 'memory' | 'bot' | 'files'>,
  head: string,
): Memory {
  const { queued, standing, pushes } = memory
  if (queued === undefined || standing === undefined || queueFor(files, queued.target)?.queue.test !== 'rebase')
    return memory
  const isRebased = pushes.some(({ from, to, by }) => from === queued.sha && to === head && isOwn({ actor: by }, bot))
  if (!isRebased) return memory
  const followed = standing.map((request) => {
    if (request.head !== queued.sha) return request
    const { occurrence } = request
    return { ...request, head, occurrence: { ...occurrence, event: { ...occurrence.event, head } } }
  })
  return { ...memory, standing: followed }
}
