(() => {
  const shift = HOURS * 3600 * 1000;
  const Real = Date;
  globalThis.Date = class Date extends Real {
    constructor(...parts) {
      if (parts.length === 0) super(Real.now() + shift);
      else super(...parts);
    }
    static now() {
      return Real.now() + shift;
    }
  };
})();
