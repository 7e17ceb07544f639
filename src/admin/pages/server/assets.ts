// Serves the files of `assets/`; their URLs have a hash of the content, so that browsers may cache them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Router } from 'express'

const types = { 'admin.css': 'text/css; charset=utf-8', 'dashboard.js': 'text/javascript; charset=utf-8' } as const
type Asset = keyof typeof types

const files = (Object.keys(types) as Asset[]).map((name) => {
  const text = readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8')
  return { name, text, url: `/admin/assets/${createHash('sha256').update(text).digest('hex').slice(0, 12)}/${name}` }
})

export function assetUrl(name: Asset): string {
  return files.find((each) => each.name === name)?.url ?? ''
}

/** Needs no session: the login page uses them. */
export function assets(): Router {
  const router = Router()
  for (const { name, text, url } of files)
    router.get(url, (_request, response) => {
      response.set({ 'Content-Type': types[name], 'Cache-Control': 'public, max-age=31536000, immutable' }).send(text)
    })
  return router
}
