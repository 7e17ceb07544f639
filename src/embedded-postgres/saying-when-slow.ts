// Says once that something takes long.

/** Calls `onSlow` after a second, or when the task says that it will be slow, but not twice. */
export async function sayingWhenSlow<T>(onSlow: () => void, task: (slow: () => void) => Promise<T>): Promise<T> {
  let said = false
  const say = () => {
    if (!said) onSlow()
    said = true
  }
  const timer = setTimeout(say, 1000)
  return task(say).finally(() => clearTimeout(timer))
}
