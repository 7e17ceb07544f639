// Who looks at a page, and when: what any part of it may ask for.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Session } from '../session.ts'

export interface Viewer {
  session: Session
  /** ISO 8601. */
  now: string
  /** The service that is looked at, and all that there are; absent where there is one alone. */
  services?: { chosen: string; all: readonly string[] }
}

export const ViewerContext = createContext<Viewer | undefined>(undefined)

/** Throws where nobody is logged in: such a page has no such parts. */
export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext)
  if (viewer === undefined) throw new Error('nobody is logged in')
  return viewer
}
