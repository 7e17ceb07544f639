// Waits for a replica that has confirmed something: before that Bellhop does not wait for it.
import { Redis } from 'ioredis'
import { eventually } from '../eventually.ts'

/** A replica of an empty master confirms nothing before the master's first ping, by default every ten seconds. */
export const PINGS_SOON: [string, string] = ['repl-ping-replica-period', '1']

/** Resolves when a replica of the master at this URL has confirmed something. */
export async function confirmingReplica(url: string): Promise<void> {
  const master = new Redis(url)
  try {
    await eventually(async () => expect(await master.info('replication')).toMatch(/state=online,offset=[1-9]/))
  } finally {
    master.disconnect()
  }
}
