// Two tones when a sale is paid. A browser lets a page sound only after a press.

let audio: AudioContext | undefined;

/** In each press: the first one lets the page sound. */
export function unlock(): void {
  try {
    audio ??= new AudioContext();
    void audio.resume().catch(() => {});
  } catch {
    // It stays silent.
  }
}

export function play(): void {
  if (audio?.state !== "running") return;
  [880, 1320].forEach((frequency, place) => {
    const [start, tone, volume] = [audio!.currentTime + place * 0.16, audio!.createOscillator(), audio!.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.3, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    tone.connect(volume).connect(audio!.destination);
    tone.start(start);
    tone.stop(start + 0.3);
  });
}
