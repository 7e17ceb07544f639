// Common set-ups, such as a project with a commit, are made once for a run and copied into other worlds.
import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { allCollections, createState, type World as Inside } from '../../src/sandbox/storage/world.ts'
import { onceForRun } from '../once-for-run.ts'

interface Place {
  sandbox: Sandbox
  folder: string
}
interface PreparedWorld {
  url: string
  result: unknown
  records: [collection: string, records: { id: number | string; value?: number }[]][]
}

/**
 * Gives what `make` gives, after the same changes. `make` works on a world of its own the first time; its records and
 * repositories are copied into this one, unless this one has had projects, or has records with the same ids.
 */
export async function prepared<W extends Place, T>(
  world: W,
  { key, make, openWorld }: { key: unknown; make: (world: W) => Promise<T>; openWorld: () => Promise<W> },
): Promise<T> {
  const name = `world-${createHash('sha1').update(JSON.stringify(key)).digest('hex')}`
  const from = await onceForRun(name, async (at) => {
    const own = await openWorld()
    const result = await make(own)
    await own.sandbox.idle()
    const records = await own.sandbox.within(async (inside) =>
      collectionsIn(inside).map(([name, { all }]) => [name, all()]),
    )
    writeFileSync(join(at, 'world.json'), JSON.stringify({ url: own.sandbox.url, result, records }))
    cpSync(join(own.folder, 'repositories'), join(at, 'repositories'), { recursive: true })
  })
  const text = readFileSync(join(from, 'world.json'), 'utf8')
  const { url, result, records }: PreparedWorld = JSON.parse(text)
  const copied = await world.sandbox.within(async (inside) => {
    const collections = new Map(collectionsIn(inside))
    const added = records.flatMap(([name, some]) =>
      name === 'counters' ? [] : some.filter(({ id }) => !isRoots(name, id)).map((record) => ({ name, record })),
    )
    if (inside.counters.get('projects') !== undefined) return false
    if (added.some(({ name, record }) => collections.get(name)?.get(record.id) !== undefined)) return false
    for (const { name, record } of added) collections.get(name)?.add(record)
    for (const { id, value = 0 } of records.find(([name]) => name === 'counters')?.[1] ?? []) {
      const present = inside.counters.get(String(id))
      if (present === undefined) inside.counters.add({ id: String(id), value })
      else if (present.value < value) inside.counters.update(present.id, { value })
    }
    return true
  })
  if (!copied) return make(world)
  cpSync(join(from, 'repositories'), join(world.folder, 'repositories'), { recursive: true })
  return JSON.parse(JSON.stringify(result).replaceAll(url, world.sandbox.url))
}

const collectionNames = new Set(Object.keys(createState()))

function collectionsIn(inside: Inside): ReturnType<typeof allCollections> {
  return allCollections(inside).filter(([name]) => collectionNames.has(name))
}

/** Every world has these of its own. */
function isRoots(collection: string, id: number | string): boolean {
  return (collection === 'users' || collection === 'tokens') && id === 1
}
