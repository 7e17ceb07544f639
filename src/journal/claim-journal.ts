// Records in Redis and in the database that the journal of an installation is in that database.
import { isDeepStrictEqual } from 'node:util'
import { checkJournalDatabase, type JournalLayout, type JournalPlace, type Opening } from './check-journal.ts'
import { changeOwner } from './stores/postgres-layout.ts'
import { changeMove, installationOf, type Move } from './stores/redis-layout.ts'

/** Makes the tables the journal of this installation, and lets Redis say so before anything is written to them. */
export async function claimJournalDatabase(
  place: JournalPlace,
  opening: Opening,
  { redis: { move: from }, tables: { owner } }: JournalLayout,
): Promise<void> {
  const { queue, pool, schema, shown } = place
  const installation = await installationOf(queue.redis, queue.prefix)
  const isOwner = await changeOwner(pool, schema, { from: owner, to: { installation } })
  const to: Move = { state: 'moved', to: shown }
  const unless = opening === 'open' && from === undefined ? ({ unless: 'in_redis' } as const) : {}
  const isMarked =
    isOwner && (isDeepStrictEqual(from, to) || (await changeMove(queue.redis, queue.prefix, { from, to, ...unless })))
  // Another process was faster: of this installation, which is as good, or of another, which is an error.
  if (!isMarked) await checkJournalDatabase(place, 'open')
}
