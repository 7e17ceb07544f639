// Which version of a rule file it was: its blob, and the commit where that is known.

export function FileVersion({ of: { blob, commit } }: { of: { blob: string | null; commit?: string | undefined } }) {
  return (
    <>
      {blob !== null && <Name word="blob" id={blob} />} {commit !== undefined && <Name word="commit" id={commit} />}
    </>
  )
}

function Name({ word, id }: { word: string; id: string }) {
  return (
    <span class="dim">
      {word} <code title={id}>{id.slice(0, 12)}</code>
    </span>
  )
}
