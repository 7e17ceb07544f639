// The shape of payloads: key paths with the JSON types of their values.
import type { Json } from '../sandbox-world.ts'

/** For each key path (`labels[].title`): counts of payloads with its parent as an object and with it; its types. */
export type Shape = Map<string, { parents: number; present: number; types: Set<string> }>

/** The common shape of payloads of one kind. A path counts once for each payload. */
export function shapeOf(payloads: readonly Json[]): Shape {
  const perPayload = payloads.map((payload) => {
    const objects = new Map<string, Json[]>()
    collect(payload, '', objects)
    return objects
  })
  const shape: Shape = new Map()
  for (const objects of perPayload) {
    for (const [parent, all] of objects) {
      for (const key of new Set(all.flatMap((each) => Object.keys(each)))) {
        const path = parent === '' ? key : `${parent}.${key}`
        const entry = shape.get(path) ?? {
          parents: perPayload.filter((each) => each.has(parent)).length,
          present: 0,
          types: new Set(),
        }
        shape.set(path, entry)
        if (all.every((each) => Object.hasOwn(each, key))) entry.present += 1
        for (const each of all) if (Object.hasOwn(each, key)) entry.types.add(typeOf(each[key]))
      }
    }
  }
  return shape
}

/** What every real payload has and ours lack or give another type; sentences, in order of path. */
export function differences(real: Shape, ours: Shape): string[] {
  return [...real]
    .filter(([, { parents, present }]) => present === parents)
    .flatMap(([path, wanted]) => {
      const parent = path.replace(/\.[^.]*$/, '')
      const found = ours.get(path)
      if (found === undefined) return path === parent || hasObject(ours, parent) ? [`${path} is missing`] : []
      if (found.present < found.parents) return [`${path} is missing at times`]
      // What is always null there has a type that nobody knows.
      if (wanted.types.size === 1 && wanted.types.has('null')) return []
      const odd = [...found.types].filter((type) => !wanted.types.has(type))
      return odd.length === 0 ? [] : [`${path} is ${odd.join(', ')} instead of ${[...wanted.types].join(', ')}`]
    })
    .sort()
}

function hasObject(shape: Shape, parent: string): boolean {
  return [...shape.keys()].some((path) => path.startsWith(`${parent}.`))
}

function collect(value: Json, path: string, objects: Map<string, Json[]>): void {
  if (Array.isArray(value)) {
    for (const each of value) collect(each, `${path}[]`, objects)
  } else if (typeof value === 'object' && value !== null) {
    objects.set(path, [...(objects.get(path) ?? []), value])
    for (const [key, each] of Object.entries(value)) collect(each, path === '' ? key : `${path}.${key}`, objects)
  }
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
